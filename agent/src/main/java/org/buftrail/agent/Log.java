package org.buftrail.agent;

/** The agent's rare lines, on standard error: standard output is the application's. */
final class Log {
  static final String PREFIX = "buftrail: ";

  private Log() {}

  @SuppressWarnings("PMD.SystemPrintln")
  static void line(String text) {
    System.err.println(PREFIX + text);
  }

  /** Text as it is. */
  @SuppressWarnings("PMD.SystemPrintln")
  static void print(String text) {
    System.err.print(text);
    System.err.flush();
  }
}
