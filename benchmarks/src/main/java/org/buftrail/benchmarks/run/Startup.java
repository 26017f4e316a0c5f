package org.buftrail.benchmarks.run;

import io.netty.buffer.PooledByteBufAllocator;
import java.io.IOException;
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
   * Milliseconds of a program in both arms.
   *
   * @param program what was run
   */
  record Result(String program, Spread none, Spread all, double atMost) {
    double added() {
      return all.median() - none.median();
    }
  }

  static List<Result> run(Request request, @Nullable String jvm) throws IOException {
    return List.of(
        time(Empty.class, "empty main", 250, request, jvm),
        time(FirstBuffer.class, "first buffer", 400, request, jvm));
  }

  private static Result time(
      Class<?> program, String title, double atMost, Request request, @Nullable String jvm)
      throws IOException {
    Map<Arm, List<Double>> millis = new EnumMap<>(Arm.class);
    for (int round = 0; round < ROUNDS; round++) {
      for (Arm arm : request.arms()) {
        double took = millis(program, arm, request.agent(), jvm);
        // The first run of each reads its files from the disk.
        if (round > 0) {
          millis.computeIfAbsent(arm, a -> new ArrayList<>()).add(took);
        }
      }
    }
    return new Result(
        title,
        Spread.of(millis.getOrDefault(Arm.NONE, List.of())),
        Spread.of(millis.getOrDefault(Arm.ALL, List.of())),
        atMost);
  }

  private static double millis(Class<?> program, Arm arm, Path agent, @Nullable String jvm)
      throws IOException {
    List<String> command = new ArrayList<>();
    command.add(
        jvm != null ? jvm : Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(arm.jvmArgs(agent));
    command.addAll(List.of("-cp", System.getProperty("java.class.path"), program.getName()));
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
    Table table = new Table(List.of("start-up", "none, ms", "all, ms", "added, ms", "at most", ""));
    for (Result r : results) {
      table.add(
          List.of(
              r.program(),
              millis(r.none()),
              millis(r.all()),
              String.format("%.0f", r.added()),
              String.format("%.0f", r.atMost()),
              r.added() <= r.atMost() ? "met" : "MISSED"));
    }
    return table;
  }

  private static String millis(Spread s) {
    return String.format("%.0f [%.0f-%.0f]", s.median(), s.least(), s.greatest());
  }
}
