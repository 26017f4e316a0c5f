package org.buftrail.agent.base;

/** The agent's rare lines, on standard error: standard output is the application's. */
public final class Log {
  public static final String PREFIX = "buftrail: ";

  private Log() {}

  /** A line. Where the application has put a stream of its own, what that throws is passed over. */
  @SuppressWarnings("PMD.SystemPrintln")
  public static void line(String text) {
    try {
      System.err.println(PREFIX + text);
    } catch (Throwable e) {
      // There is nowhere left to report it.
    }
  }

  /** Text as it is. */
  @SuppressWarnings("PMD.SystemPrintln")
  public static void print(String text) {
    System.err.print(text);
    System.err.flush();
  }
}
