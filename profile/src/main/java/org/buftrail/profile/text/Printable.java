package org.buftrail.profile.text;

/**
 * Text of files as it may be shown: what would move a terminal's cursor, colour it, or turn the
 * order of letters around stands as {@code \}{@code u001b} and the like.
 */
public final class Printable {
  private enum Kept {
    ASCII,
    ALL_BUT_LINES,
    ALL
  }

  private Printable() {}

  /** One line of it: line ends are written so too. */
  public static String line(String text) {
    return escape(text, Kept.ALL_BUT_LINES);
  }

  /** All its lines, each ending where it did. */
  public static String lines(String text) {
    return escape(text, Kept.ALL);
  }

  /** One line of it in ASCII, for what counts columns: whatever else there is is written so too. */
  public static String ascii(String text) {
    return escape(text, Kept.ASCII);
  }

  private static String escape(String text, Kept kept) {
    int start = 0;
    while (start < text.length() && isPlain(text, start, kept)) {
      start++;
    }
    if (start == text.length()) {
      return text;
    }
    StringBuilder safe = new StringBuilder(text.length() + 16).append(text, 0, start);
    for (int i = start; i < text.length(); i++) {
      char c = text.charAt(i);
      if (isPlain(text, i, kept)) {
        safe.append(c);
      } else {
        // Not by a formatter, which a short command would load for this alone.
        safe.append("\\u").append(Integer.toHexString(0x10000 | c), 1, 5);
      }
    }
    return safe.toString();
  }

  private static boolean isPlain(String text, int at, Kept kept) {
    char c = text.charAt(at);
    if (kept == Kept.ASCII) {
      return c >= ' ' && c < 0x7f;
    }
    return !isControl(c) || c == '\t' || (kept == Kept.ALL && isLineEnd(text, at));
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
