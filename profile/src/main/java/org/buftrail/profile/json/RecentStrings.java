package org.buftrail.profile.json;

/**
 * Strings that were read lately, so that one that comes again and again, such as the name of a
 * member or of a class, is made once. Bounded; belongs to one thread.
 */
final class RecentStrings {
  private static final int SLOTS = 1 << 12;

  /** Longer ones seldom come again. */
  static final int LONGEST = 200;

  private final String[] slots = new String[SLOTS];

  /**
   * The string that some characters are.
   *
   * @param hash of these characters, as {@link String#hashCode} has it
   */
  String of(char[] chars, int from, int to, int hash) {
    int slot = (hash ^ hash >>> 15) & SLOTS - 1;
    String known = slots[slot];
    if (known != null && equals(known, chars, from, to)) {
      return known;
    }
    String made = new String(chars, from, to - from);
    slots[slot] = made;
    return made;
  }

  private static boolean equals(String known, char[] chars, int from, int to) {
    int length = to - from;
    if (known.length() != length) {
      return false;
    }
    for (int i = 0; i < length; i++) {
      if (known.charAt(i) != chars[from + i]) {
        return false;
      }
    }
    return true;
  }
}
