package org.buftrail.benchmarks.run;

import io.netty.buffer.PooledByteBufAllocator;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** Times whole JVMs, with and without the agent in turn. */
final class Startup {
  private static final int ROUNDS = 15;
  private static final long LIMIT_SECONDS = 60;

  /** Jiffies of ended children, among the fields of {@code stat} behind the command. */
  private static final int CHILDREN_USER = 13;

  private static final int CHILDREN_SYSTEM = 14;

  /** Linux counts in hundredths of a second. */
  private static final double JIFFY_MILLIS = 10;

  private Startup() {}

  /** A program that does nothing. */
  public static final class Empty {
    private Empty() {}

    /** Returns at once. */
    public static void main(String[] args) {}
  }

  /** A program that allocates a buffer and releases it. */
  public static final class FirstBuffer {
    private FirstBuffer() {}

    /** Ends with the buffer. */
    public static void main(String[] args) {
      PooledByteBufAllocator.DEFAULT.directBuffer(16).release();
    }
  }

  /**
   * A program in the arms.
   *
   * @param program what was run
   * @param millis by the clock, from the start of the JVM to its end
   * @param cpuMillis on a processor, of all threads of the JVM
   * @param atMost milliseconds by the clock that the agent may add, or NaN
   * @param cpuAtMost the same on a processor
   */
  record Result(
      String program,
      Map<Arm, Spread> millis,
      Map<Arm, Spread> cpuMillis,
      double atMost,
      double cpuAtMost) {
    double added(Map<Arm, Spread> spreads, Arm arm) {
      Spread none = spreads.get(Arm.NONE);
      Spread one = spreads.get(arm);
      return none == null || one == null ? Double.NaN : one.median() - none.median();
    }

    boolean isMet() {
      return !(added(millis, Arm.ALL) > atMost) && !(added(cpuMillis, Arm.ALL) > cpuAtMost);
    }
  }

  /** The program to run, and its class path beside that of the benchmarks. */
  private record Program(Class<?> main, String title, double atMost, double cpuAtMost) {}

  static List<Result> run(Request request, @Nullable String jvm) throws IOException {
    Path jar = Files.createTempFile("classes", ".jar");
    try {
      ManyClasses.write(jar);
      List<Result> results = new ArrayList<>();
      for (Program program :
          List.of(
              new Program(Empty.class, "empty main", 250, Double.NaN),
              new Program(FirstBuffer.class, "first buffer", 400, Double.NaN),
              new Program(ManyClasses.class, ManyClasses.TITLE, Double.NaN, 600))) {
        results.add(time(program, jar, request, jvm));
      }
      return results;
    } finally {
      Files.deleteIfExists(jar);
    }
  }

  private static Result time(Program program, Path classes, Request request, @Nullable String jvm)
      throws IOException {
    Map<Arm, List<Double>> millis = new EnumMap<>(Arm.class);
    Map<Arm, List<Double>> cpu = new EnumMap<>(Arm.class);
    int rounds = request.jmh().getForkCount().orElse(ROUNDS);
    for (int round = 0; round <= rounds; round++) {
      for (Arm arm : request.arms()) {
        double before = childrenMillis();
        double took = millis(program.main(), classes, arm, request.agent(arm), jvm);
        // The first run of each reads its files from the disk.
        if (round > 0) {
          millis.computeIfAbsent(arm, a -> new ArrayList<>()).add(took);
          cpu.computeIfAbsent(arm, a -> new ArrayList<>()).add(childrenMillis() - before);
        }
      }
    }
    return new Result(
        program.title(), spreads(millis), spreads(cpu), program.atMost(), program.cpuAtMost());
  }

  private static Map<Arm, Spread> spreads(Map<Arm, List<Double>> values) {
    Map<Arm, Spread> spreads = new EnumMap<>(Arm.class);
    values.forEach((arm, all) -> spreads.put(arm, Spread.of(all)));
    return spreads;
  }

  /** On a processor, of the processes that this one has started and that have ended. */
  private static double childrenMillis() throws IOException {
    Path stat = Path.of("/proc/self/stat");
    if (!Files.isReadable(stat)) {
      return Double.NaN;
    }
    String text = Files.readString(stat);
    String[] fields = text.substring(text.lastIndexOf(')') + 2).split(" ", -1);
    long jiffies = Long.parseLong(fields[CHILDREN_USER]) + Long.parseLong(fields[CHILDREN_SYSTEM]);
    return jiffies * JIFFY_MILLIS;
  }

  private static double millis(
      Class<?> program, Path classes, Arm arm, Path agent, @Nullable String jvm)
      throws IOException {
    List<String> command = new ArrayList<>();
    command.add(
        jvm != null ? jvm : Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(arm.jvmArgs(agent));
    String classPath = classes + File.pathSeparator + System.getProperty("java.class.path");
    command.addAll(List.of("-cp", classPath, program.getName()));
    long start = System.nanoTime();
    Process process =
        new ProcessBuilder(command)
            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
            .redirectError(ProcessBuilder.Redirect.DISCARD)
            .start();
    try {
      if (!process.waitFor(LIMIT_SECONDS, TimeUnit.SECONDS) || process.exitValue() != 0) {
        process.destroyForcibly();
        throw new IOException(String.join(" ", command) + " failed");
      }
    } catch (InterruptedException e) {
      process.destroyForcibly();
      Thread.currentThread().interrupt();
      throw new IOException("interrupted", e);
    }
    return (System.nanoTime() - start) / 1e6;
  }

  static Table table(List<Result> results) {
    Table table =
        new Table(List.of("start-up", "arm", "ms", "added, ms", "processor, ms", "added, ms", ""));
    for (Result r : results) {
      r.millis()
          .forEach(
              (arm, millis) ->
                  table.add(
                      List.of(
                          r.program(),
                          arm.label(),
                          millis(millis),
                          String.format("%.0f", r.added(r.millis(), arm)),
                          millis(r.cpuMillis().getOrDefault(arm, Spread.NONE)),
                          String.format("%.0f", r.added(r.cpuMillis(), arm)),
                          arm != Arm.ALL ? "" : r.isMet() ? "met" : "MISSED")));
    }
    return table;
  }

  private static String millis(Spread s) {
    return String.format("%.0f [%.0f-%.0f]", s.median(), s.least(), s.greatest());
  }
}
