package org.buftrail.profile.html;

/**
 * Whole numbers from 0 on as text: five bits a character, the low ones first, and a sixth bit where
 * more follow, in the alphabet of Base64. Small numbers, of which columns mostly consist, take one
 * character each, and no quotation in JSON.
 */
final class PackedNumbers {
  private static final String DIGITS =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  private static final int BITS = 5;
  private static final int MORE = 1 << BITS;

  private PackedNumbers() {}

  /** A column as text. */
  static String of(int rows, PageColumns.Column values) {
    StringBuilder text = new StringBuilder(rows * 2);
    for (int row = 0; row < rows; row++) {
      long left = values.at(row);
      while (left >= MORE) {
        text.append(DIGITS.charAt((int) (left & (MORE - 1)) | MORE));
        left >>>= BITS;
      }
      text.append(DIGITS.charAt((int) left));
    }
    return text.toString();
  }
}
