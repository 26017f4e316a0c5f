package org.buftrail.agent;

/** The agent's rare lines, on standard error: standard output is the application's. */
final class Log {
  static final String PREFIX = "buftrail: ";

  private Log() {}

  /** A line. Where the application has put a stream of its own, what that throws is passed over. */
  @SuppressWarnings("PMD.SystemPrintln")
  static void line(String text) {
    try {
      System.err.println(PREFIX + text);
    } catch (Throwable e) {
      // There is nobody to tell.
    }
  }

  /** Text as it is. */
  @SuppressWarnings("PMD.SystemPrintln")
  static void print(String text) {
    System.err.print(text);
    System.err.flush();
  }
}
