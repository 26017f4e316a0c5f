package org.buftrail.it.leaktests;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import org.junit.platform.engine.TestExecutionResult;
import org.junit.platform.engine.TestSource;
import org.junit.platform.engine.discovery.DiscoverySelectors;
import org.junit.platform.engine.reporting.ReportEntry;
import org.junit.platform.engine.support.descriptor.ClassSource;
import org.junit.platform.launcher.LauncherDiscoveryRequest;
import org.junit.platform.launcher.LauncherSession;
import org.junit.platform.launcher.TestExecutionListener;
import org.junit.platform.launcher.TestIdentifier;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;

/**
 * Runs the tests of this package so many times, side by side or one after the other.
 *
 * <p>Arguments: the file for the results, how often, {@code parallel} or {@code sequential}, and
 * classes, if not those with buffers. A line of the file is a test or class, by how it ended:
 * {@code passed}, or the simple name of what it threw. What a test attaches goes to a file of the
 * same name with {@code .attached}: its name, the key and the text.
 */
public final class RunTests {
  private static final Class<?>[] TESTS = {
    OneThreadTests.class,
    ThreadsTests.class,
    OwnServerTests.class,
    FormsTests.class,
    LeakingSharedServerTests.class,
    CleanSharedServerTests.class,
    SharedExecutorTests.class,
    CleanSharedExecutorTests.class,
    LeakingBeforeAllTests.class,
    CleanBeforeAllTests.class
  };

  private RunTests() {}

  /** See the class. */
  public static void main(String[] args) throws IOException {
    LauncherDiscoveryRequestBuilder request =
        LauncherDiscoveryRequestBuilder.request()
            .configurationParameter("junit.jupiter.extensions.autodetection.enabled", "true")
            .configurationParameter(
                "junit.jupiter.execution.parallel.enabled",
                String.valueOf(args[2].equals("parallel")))
            .configurationParameter("junit.jupiter.execution.parallel.mode.default", "concurrent")
            .configurationParameter("junit.jupiter.execution.parallel.config.strategy", "fixed")
            .configurationParameter(
                "junit.jupiter.execution.parallel.config.fixed.parallelism", "8");
    if (args.length == 3) {
      for (Class<?> test : TESTS) {
        request.selectors(DiscoverySelectors.selectClass(test));
      }
    }
    for (int i = 3; i < args.length; i++) {
      request.selectors(DiscoverySelectors.selectClass(args[i]));
    }
    LauncherDiscoveryRequest built = request.build();
    try (PrintWriter out =
            new PrintWriter(Files.newBufferedWriter(Path.of(args[0]), StandardCharsets.UTF_8));
        PrintWriter attached =
            new PrintWriter(
                Files.newBufferedWriter(Path.of(args[0] + ".attached"), StandardCharsets.UTF_8));
        LauncherSession session = LauncherFactory.openSession()) {
      for (int i = 0; i < Integer.parseInt(args[1]); i++) {
        session.getLauncher().execute(built, new Results(out, attached));
      }
    }
  }

  private static final class Results implements TestExecutionListener {
    private final PrintWriter out;
    private final PrintWriter attached;

    Results(PrintWriter out, PrintWriter attached) {
      this.out = out;
      this.attached = attached;
    }

    @Override
    public void reportingEntryPublished(TestIdentifier test, ReportEntry entry) {
      synchronized (attached) {
        entry
            .getKeyValuePairs()
            .forEach(
                (key, text) ->
                    attached.println(
                        test.getDisplayName() + "\t" + key + "\t" + text.replace("\n", " ")));
      }
    }

    @Override
    public void executionFinished(TestIdentifier test, TestExecutionResult result) {
      Optional<TestSource> source = test.getSource();
      if (test.isTest() || source.filter(ClassSource.class::isInstance).isPresent()) {
        String outcome =
            result.getThrowable().map(thrown -> thrown.getClass().getSimpleName()).orElse("passed");
        synchronized (out) {
          out.println(test.getDisplayName() + "\t" + outcome + "\t" + test.getUniqueId());
        }
      }
    }
  }
}
