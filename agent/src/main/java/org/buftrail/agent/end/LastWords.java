package org.buftrail.agent.end;

import java.util.function.Consumer;
import org.buftrail.agent.base.BoundedCall;
import org.buftrail.agent.base.Log;

/**
 * Collects the text printed while the JVM ends, and prints it in one go.
 *
 * <p>The end of the JVM does not wait for a reader: the JVM ends without the rest when that takes
 * too long. Used by one thread.
 */
final class LastWords {
  private static final long PATIENCE_MILLIS = 5_000;

  private final StringBuilder text = new StringBuilder();
  private final Consumer<String> printer;
  private final long patienceMillis;

  LastWords() {
    this(Log::print, PATIENCE_MILLIS);
  }

  /**
   * @param printer may block
   * @param patienceMillis how long it is waited for
   */
  LastWords(Consumer<String> printer, long patienceMillis) {
    this.printer = printer;
    this.patienceMillis = patienceMillis;
  }

  /** Adds a line, or lines. */
  void say(String line) {
    text.append(Log.PREFIX).append(line).append(System.lineSeparator());
  }

  /** Prints all that was said; waits a few seconds at most, also when interrupted. */
  void print() {
    String all = text.toString();
    if (all.isEmpty()) {
      return;
    }
    text.setLength(0);
    BoundedCall.run("buftrail-last-words", () -> printer.accept(all), patienceMillis);
  }

  /** The text that is not printed yet. */
  @Override
  public String toString() {
    return text.toString();
  }
}
