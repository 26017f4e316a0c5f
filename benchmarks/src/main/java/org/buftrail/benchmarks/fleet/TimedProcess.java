package org.buftrail.benchmarks.fleet;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Runs a command on some of the processors; says how long it took and what it cost. */
final class TimedProcess {
  private static final String SCRIPT = "\"$@\" >\"$0\" 2>\"$0.err\"; rc=$?; times; exit $rc";
  private static final Pattern TIME = Pattern.compile("(\\d+)m([\\d.]+)s");

  private TimedProcess() {}

  /**
   * What a command took.
   *
   * @param seconds by the clock
   * @param processorSeconds of all its processes
   */
  record Result(double seconds, double processorSeconds) {
    Result plus(Result other) {
      return new Result(seconds + other.seconds, processorSeconds + other.processorSeconds);
    }
  }

  /**
   * Runs a command to its end.
   *
   * @param cores the first so many processors are its
   * @param output gets what it prints
   * @throws IOException if it fails, with what it said
   */
  static Result run(List<String> command, int cores, Path output) throws IOException {
    List<String> whole = new ArrayList<>(List.of("taskset", "-c", "0-" + (cores - 1)));
    whole.addAll(List.of("sh", "-c", SCRIPT, output.toString()));
    whole.addAll(command);
    long start = System.nanoTime();
    Process process =
        new ProcessBuilder(whole).redirectError(ProcessBuilder.Redirect.INHERIT).start();
    String times = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    try {
      if (process.waitFor() != 0) {
        String said = Files.readString(Path.of(output + ".err")).strip();
        throw new IOException("failed: " + String.join(" ", command.subList(0, 3)) + ": " + said);
      }
    } catch (InterruptedException e) {
      process.destroy();
      Thread.currentThread().interrupt();
      throw new IOException("interrupted", e);
    }
    return new Result((System.nanoTime() - start) / 1e9, processorSeconds(times));
  }

  /** The second line of what the shell says is of its children: user and system time. */
  static double processorSeconds(String times) {
    Matcher time = TIME.matcher(times.substring(times.indexOf('\n') + 1));
    double seconds = 0;
    while (time.find()) {
      seconds += 60 * Double.parseDouble(time.group(1)) + Double.parseDouble(time.group(2));
    }
    return seconds;
  }
}
