package org.buftrail.benchmarks.run;

import static java.util.stream.Collectors.joining;

import io.netty.util.concurrent.DefaultThreadFactory;
import java.io.IOException;
import java.io.Reader;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.Properties;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.buftrail.benchmarks.Expected;
import org.jspecify.annotations.Nullable;
import org.openjdk.jmh.profile.GCProfiler;
import org.openjdk.jmh.profile.JavaFlightRecorderProfiler;
import org.openjdk.jmh.profile.StackProfiler;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.runner.BenchmarkListEntry;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.options.ChainedOptionsBuilder;
import org.openjdk.jmh.runner.options.TimeValue;

/**
 * Runs every selected benchmark in every arm, with one fork of each alive at the same time. These
 * take {@link Turns} by the iteration, so that what disturbs the machine disturbs all arms alike.
 */
final class Forks {
  static final String BENCHMARKS = "org.buftrail.benchmarks.flow.";

  static final String SERVICES = "org.buftrail.benchmarks.service.";

  /** From {@code bin/java}. */
  private static final String RELEASE = "../../release";

  private static final int ROUNDS = 5;
  private static final int SERVICE_ITERATIONS = 11;
  private static final TimeValue SERVICE_ITERATION = TimeValue.milliseconds(500);
  private static final int WARM_UPS = 3;
  private static final int ITERATIONS = 25;
  private static final TimeValue WARM_UP = TimeValue.seconds(1);
  private static final TimeValue ITERATION = TimeValue.milliseconds(200);

  /**
   * Touched beforehand, because the kernel takes longer to give a page than a buffer on it costs.
   * Young space grows into new pages at the pace of the arm, in the slower one while it is
   * measured.
   */
  private static final List<String> HEAP = List.of("-Xms1g", "-Xmx1g", "-XX:+AlwaysPreTouch");

  private final Request request;
  private final SideBySide sideBySide;
  private final Terminal terminal;

  Forks(Request request, Terminal terminal) {
    this.request = request;
    this.sideBySide = new SideBySide(request.jmh(), benchmarks());
    this.terminal = terminal;
  }

  /** JMH runs benchmarks on it when asked for Netty's kind of thread. */
  public static final class NettyThreads extends ThreadPoolExecutor {
    /** Called by JMH. */
    public NettyThreads(int threads, String prefix) {
      super(
          threads,
          threads,
          0,
          TimeUnit.SECONDS,
          new LinkedBlockingQueue<>(),
          new DefaultThreadFactory(prefix + WorkerTime.WORKER, true));
    }
  }

  private boolean isServices() {
    return request.mode() == Request.Mode.SERVICES;
  }

  private String benchmarks() {
    return isServices() ? SERVICES : BENCHMARKS;
  }

  int rounds() {
    return request.jmh().getForkCount().orElse(isServices() ? 1 : ROUNDS);
  }

  /** Full names of the selected benchmarks that run on the JVM, in order of their names. */
  Set<String> selected() throws IOException {
    Set<String> names = new TreeSet<>();
    int java = java(request.jmh().getJvm().orElse(null));
    for (BenchmarkListEntry entry : sideBySide.selected()) {
      String name = entry.getUsername();
      if (name.startsWith(benchmarks()) && Expectations.of(name).since() <= java) {
        names.add(name);
      }
    }
    return names;
  }

  /** The feature number of a JVM, by the file that each comes with. */
  private static int java(@Nullable String jvm) throws IOException {
    if (jvm == null) {
      return Runtime.version().feature();
    }
    Properties release = new Properties();
    try (Reader file =
        Files.newBufferedReader(Path.of(jvm).toRealPath().resolve(RELEASE).normalize())) {
      release.load(file);
    } catch (NoSuchFileException e) {
      throw new IOException("-jvm " + jvm + ": name the file bin/java of a JDK, with its path", e);
    }
    String version = release.getProperty("JAVA_VERSION", "\"17\"");
    return Runtime.Version.parse(version.replace("\"", "")).feature();
  }

  /**
   * Runs all.
   *
   * @throws RunnerException when a fork fails, or did not count what its benchmark did
   */
  Comparison run() throws RunnerException, IOException {
    MachineLock lock = new MachineLock();
    try {
      return runAlone();
    } finally {
      lock.close();
    }
  }

  private Comparison runAlone() throws RunnerException, IOException {
    Comparison comparison = new Comparison();
    Set<String> names = selected();
    int rounds = rounds();
    for (int round = 1; round <= rounds; round++) {
      for (String name : names) {
        List<Arm> arms = arms(name);
        // Nobody always follows the same.
        Collections.rotate(arms, round - 1);
        String labels = arms.stream().map(Arm::label).collect(joining(", "));
        terminal.progress(
            String.format(
                "round %d of %d: %s, %s", round, rounds, Measurement.shortName(name), labels));
        List<SideBySide.Fork> forks = new ArrayList<>();
        for (Arm arm : arms) {
          String label = Measurement.shortName(name) + ", " + arm.label();
          forks.add(new SideBySide.Fork(name, label, options -> addOptions(options, arm)));
        }
        List<Collection<RunResult>> results = sideBySide.run(forks);
        for (int i = 0; i < arms.size(); i++) {
          Arm arm = arms.get(i);
          for (RunResult result : results.get(i)) {
            String title = Measurement.name(result);
            comparison
                .of(new Comparison.Key(title, arm), () -> new Measurement(arm, title, result))
                .add(result);
          }
        }
      }
    }
    return comparison;
  }

  private List<Arm> arms(String name) {
    Expected expected = Expectations.of(name);
    List<Arm> arms = new ArrayList<>(request.arms());
    arms.removeIf(arm -> arm.isDetector() && !expected.detector());
    arms.removeIf(arm -> arm == Arm.HANDLERS && !expected.handlers());
    return arms;
  }

  private void addOptions(ChainedOptionsBuilder options, Arm arm) {
    options.warmupIterations(request.jmh().getWarmupIterations().orElse(WARM_UPS));
    options.warmupTime(request.jmh().getWarmupTime().orElse(WARM_UP));
    options.measurementIterations(
        request
            .jmh()
            .getMeasurementIterations()
            .orElse(isServices() ? SERVICE_ITERATIONS : ITERATIONS));
    options.measurementTime(
        request.jmh().getMeasurementTime().orElse(isServices() ? SERVICE_ITERATION : ITERATION));
    // The last to start is the first to stop: the snapshot is not in the garbage counted.
    options.addProfiler(Proof.class, arm.name());
    options.addProfiler(WorkerTime.class);
    if (isServices()) {
      options.addProfiler(ProcessTime.class);
    }
    options.addProfiler(GCProfiler.class);
    if (request.profile()) {
      options.addProfiler(StackProfiler.class);
      options.addProfiler(JavaFlightRecorderProfiler.class, "configName=profile");
    }
    List<String> jvmArgs = new ArrayList<>(HEAP);
    jvmArgs.addAll(arm.jvmArgs(request.agent(arm)));
    if (request.nettyThreads()) {
      jvmArgs.add("-Djmh.executor=CUSTOM");
      jvmArgs.add("-Djmh.executor.class=" + NettyThreads.class.getName());
    }
    options.jvmArgsPrepend(jvmArgs.toArray(new String[0]));
  }
}
