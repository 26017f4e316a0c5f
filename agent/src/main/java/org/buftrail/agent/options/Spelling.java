package org.buftrail.agent.options;

import java.util.Locale;

/** Finds what somebody probably meant. */
final class Spelling {
  private Spelling() {}

  /** The candidate with the fewest edits from {@code word}, upper and lower case being alike. */
  static String nearest(String word, String[] candidates) {
    String best = candidates[0];
    int fewest = Integer.MAX_VALUE;
    for (String candidate : candidates) {
      int edits = edits(word.toLowerCase(Locale.ROOT), candidate.toLowerCase(Locale.ROOT));
      if (edits < fewest) {
        fewest = edits;
        best = candidate;
      }
    }
    return best;
  }

  private static int edits(String a, String b) {
    int[] row = new int[b.length() + 1];
    for (int j = 0; j < row.length; j++) {
      row[j] = j;
    }
    for (int i = 1; i <= a.length(); i++) {
      int diagonal = row[0];
      row[0] = i;
      for (int j = 1; j <= b.length(); j++) {
        int replaced = diagonal + (a.charAt(i - 1) == b.charAt(j - 1) ? 0 : 1);
        diagonal = row[j];
        row[j] = Math.min(replaced, Math.min(row[j - 1], diagonal) + 1);
      }
    }
    return row[b.length()];
  }
}
