package org.buftrail.suite;

import static org.junit.platform.engine.discovery.DiscoverySelectors.selectClass;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.platform.launcher.Launcher;
import org.junit.platform.launcher.LauncherDiscoveryRequest;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;

/**
 * Runs test classes one after the other. A class that takes too long ends the JVM; who started it
 * goes on with the classes after that one.
 */
public final class SuiteRunner {
  private SuiteRunner() {}

  /**
   * Runs the classes and exits.
   *
   * @param args a file with the names of the classes, the file for the results, and how many
   *     seconds a class may take
   */
  public static void main(String[] args) throws IOException {
    List<String> names = Files.readAllLines(Path.of(args[0]));
    ResultFile results = new ResultFile(Path.of(args[1]));
    Watchdog watchdog = new Watchdog(results, Long.parseLong(args[2]));
    watchdog.start();
    Launcher launcher = LauncherFactory.create();
    for (String name : names) {
      results.write(ResultFile.BEGUN, name, "");
      watchdog.begin(name);
      try {
        // Found, but not initialised: what its initialiser throws is the test's to fail with.
        Class<?> type = Class.forName(name, false, SuiteRunner.class.getClassLoader());
        LauncherDiscoveryRequest request =
            LauncherDiscoveryRequestBuilder.request()
                .selectors(selectClass(type))
                // Netty's modules ask for it, and then JUnit may go on before all tests have ended.
                .configurationParameter("junit.jupiter.execution.parallel.enabled", "false")
                .build();
        launcher.execute(request, results);
      } catch (Throwable e) {
        results.write(ResultFile.DIED, name, e.toString());
      }
      watchdog.end();
      results.write(ResultFile.DONE, name, "");
    }
    results.write(ResultFile.ALL_DONE, "", "");
    // Threads that tests left behind must not keep it alive.
    System.exit(0);
  }
}
