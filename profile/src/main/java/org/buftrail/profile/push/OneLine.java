package org.buftrail.profile.push;

/** Text of strangers as one printable line that is not too long. */
final class OneLine {
  private static final int MAX_CHARACTERS = 200;

  private OneLine() {}

  /** The text with each run of what is no printable character as one space, cut at the end. */
  static String of(String text) {
    // Cc, Cf, Cs, Co, Cn: control characters, and those that turn the direction of text around.
    String line = text.replaceAll("[\\p{C}\\p{Z}\\s\\uFFFD]+", " ").trim();
    int end = line.offsetByCodePoints(0, Math.min(MAX_CHARACTERS, points(line)));
    return end == line.length() ? line : line.substring(0, end).trim() + "...";
  }

  private static int points(String line) {
    return line.codePointCount(0, line.length());
  }
}
