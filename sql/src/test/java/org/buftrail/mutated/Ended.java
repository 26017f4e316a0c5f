package org.buftrail.mutated;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicReference;
import org.buftrail.cli.InProcess;

/**
 * How a command ended.
 *
 * @param line the command line
 * @param exit its code; -1 for an exception, and -2 if it did not end
 */
record Ended(List<String> line, int exit, String out, String err) {
  /** Far longer than any of them takes, on a machine with much else to do. */
  private static final long LONGEST_MILLIS = 120_000;

  /** Runs a command in a thread of its own. */
  static Ended run(List<String> line) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    ByteArrayOutputStream err = new ByteArrayOutputStream();
    AtomicReference<Object> end = new AtomicReference<>(-2);
    Thread thread =
        new Thread(
            () -> {
              try {
                end.set(
                    InProcess.run(
                        new PrintStream(out, true, StandardCharsets.UTF_8),
                        new PrintStream(err, true, StandardCharsets.UTF_8),
                        line.toArray(String[]::new)));
              } catch (Throwable e) {
                end.set(e);
              }
            },
            "case");
    thread.setDaemon(true);
    thread.start();
    try {
      thread.join(LONGEST_MILLIS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    StackTraceElement[] at = thread.getStackTrace();
    String more = "";
    int exit = -1;
    if (end.get() instanceof Throwable thrown) {
      more = thrown + " " + Arrays.toString(thrown.getStackTrace());
    } else {
      exit = Objects.requireNonNull((Integer) end.get());
      more = exit < 0 ? "hangs " + Arrays.toString(at) : "";
    }
    return new Ended(
        line,
        exit,
        out.toString(StandardCharsets.UTF_8),
        err.toString(StandardCharsets.UTF_8) + more);
  }
}
