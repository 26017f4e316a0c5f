package org.buftrail.profile.text;

/**
 * Text of files as it may be shown: what would move a terminal's cursor, colour it, or turn the
 * order of letters around stands as {@code \}{@code u001b} and the like.
 */
public final class Printable {
  private Printable() {}

  /** One line of it: line ends are written so too. */
  public static String line(String text) {
    return escape(text, false);
  }

  /** All its lines, each ending where it did. */
  public static String lines(String text) {
    return escape(text, true);
  }

  private static String escape(String text, boolean keepLines) {
    int start = 0;
    while (start < text.length() && isPlain(text, start, keepLines)) {
      start++;
    }
    if (start == text.length()) {
      return text;
    }
    StringBuilder safe = new StringBuilder(text.length() + 16).append(text, 0, start);
    for (int i = start; i < text.length(); i++) {
      char c = text.charAt(i);
      if (isPlain(text, i, keepLines)) {
        safe.append(c);
      } else {
        // Not by a formatter, which a short command would load for this alone.
        safe.append("\\u").append(Integer.toHexString(0x10000 | c), 1, 5);
      }
    }
    return safe.toString();
  }

  private static boolean isPlain(String text, int at, boolean keepLines) {
    char c = text.charAt(at);
    return !isControl(c) || c == '\t' || (keepLines && isLineEnd(text, at));
  }

  /** Whether a character is shown as none, and may control what shows it. */
  public static boolean isControl(char c) {
    if (c >= ' ' && c < 0x7f) {
      return false;
    }
    switch (Character.getType(c)) {
      case Character.CONTROL:
      case Character.FORMAT:
      case Character.LINE_SEPARATOR:
      case Character.PARAGRAPH_SEPARATOR:
        return true;
      default:
        return false;
    }
  }

  /** A carriage return alone would write over the line. */
  private static boolean isLineEnd(String text, int at) {
    char c = text.charAt(at);
    return c == '\n' || (c == '\r' && text.startsWith("\n", at + 1));
  }
}
