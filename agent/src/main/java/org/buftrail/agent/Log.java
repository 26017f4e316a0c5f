package org.buftrail.agent;

/** The agent's rare lines, on standard error: standard output is the application's. */
final class Log {
  private Log() {}

  @SuppressWarnings("PMD.SystemPrintln")
  static void line(String text) {
    System.err.println("buftrail: " + text);
  }
}
