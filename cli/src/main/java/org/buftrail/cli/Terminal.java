package org.buftrail.cli;

import java.io.PrintStream;

/**
 * The only place that prints: results on standard output, everything said about them on standard
 * error.
 *
 * <p>Used from one thread.
 */
final class Terminal {
  private final PrintStream out;
  private final PrintStream err;

  Terminal(PrintStream out, PrintStream err) {
    this.out = out;
    this.err = err;
  }

  /** A result. */
  void print(String text) {
    out.print(text);
    out.flush();
  }

  /** A line of a result. */
  void line(String text) {
    out.println(text);
  }

  /** A line about the work, which does not belong into a pipe. */
  void note(String text) {
    err.println(text);
  }

  /** Text that will be overwritten, for a terminal. */
  void transientText(String text) {
    err.print(text);
    err.flush();
  }

  /** Why a command fails: one line. */
  void fail(String message) {
    err.println("buftrail: " + message.replace('\r', ' ').replace('\n', ' '));
  }

  /** Standard output as bytes, for {@code -o -}. */
  PrintStream bytes() {
    return out;
  }
}
