package org.buftrail.console.output;

import java.io.File;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import java.util.function.LongConsumer;

/**
 * How far long work is, on a line of the terminal that is gone when the work is done. Nothing is
 * shown of what takes less than a second, nor where standard error is no terminal.
 */
public final class ProgressBar implements AutoCloseable, LongConsumer {
  private static final long FIRST_NANOS = TimeUnit.SECONDS.toNanos(1);
  private static final long STEP_NANOS = TimeUnit.MILLISECONDS.toNanos(100);
  private static final int WIDTH = 40;
  private static final String CLEAR = "\r\033[K";
  // A line that is too long for the terminal must not become two, of which one would stay.
  private static final String ONE_LINE = CLEAR + "\033[?7l";
  private static final String END_LINE = "\033[?7h";

  private final Terminal terminal;
  private final List<Path> inputs;
  private long total;
  private long next = System.nanoTime() + FIRST_NANOS;
  private boolean asked;
  private boolean shown;

  /**
   * @param inputs what is read, looked at only if the bar is shown
   */
  public ProgressBar(Terminal terminal, List<Path> inputs) {
    this.terminal = terminal;
    this.inputs = inputs;
  }

  /** Says how much is done. */
  @Override
  public void accept(long bytes) {
    long now = System.nanoTime();
    if (now - next < 0) {
      return;
    }
    next = now + STEP_NANOS;
    if (!asked) {
      asked = true;
      shown = isTerminal();
      total = shown ? Payloads.length(inputs) : 0;
    }
    if (shown) {
      terminal.transientText(ONE_LINE + line(bytes) + END_LINE);
    }
  }

  private String line(long bytes) {
    if (total <= 0) {
      return String.format(Locale.ROOT, "%,d MB", bytes / 1_000_000);
    }
    double done = Math.min(1, (double) bytes / total);
    int full = (int) (done * WIDTH);
    // On a narrow terminal the bar loses its end, and not the figures.
    return String.format(
            Locale.ROOT, "%3.0f %% of %,d MB [", done * 100, Math.max(1, total / 1_000_000))
        + "=".repeat(full)
        + " ".repeat(WIDTH - full)
        + "]";
  }

  /** Whether standard error is a terminal, as {@code test -t} says. */
  private static boolean isTerminal() {
    if (!new File("/dev/tty").exists() || "dumb".equals(System.getenv("TERM"))) {
      return false;
    }
    try {
      Process test =
          new ProcessBuilder("test", "-t", "2")
              .redirectError(ProcessBuilder.Redirect.INHERIT)
              .start();
      return test.waitFor(1, TimeUnit.SECONDS) && test.exitValue() == 0;
    } catch (IOException e) {
      return false;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return false;
    }
  }

  @Override
  public void close() {
    if (shown) {
      terminal.transientText(CLEAR);
    }
  }
}
