package org.buftrail.model;

/**
 * An error in one line. Its message may be made by code of the application, which may throw, or
 * answer a whole book. Any thread.
 */
public final class ErrorText {
  private static final int MAX_CHARS = 300;

  private ErrorText() {}

  /** Its type, and its message if there is one, up to 300 characters. Throws nothing. */
  public static String of(Throwable error) {
    String type = error.getClass().getName();
    try {
      String message = error.getMessage();
      String text = message == null ? type : type + ": " + message;
      String start = text.length() > MAX_CHARS ? text.substring(0, MAX_CHARS) + "..." : text;
      return start.replace('\n', ' ').replace('\r', ' ');
    } catch (Throwable e) {
      return type;
    }
  }
}
