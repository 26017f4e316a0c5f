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

  private final StringBuilder text;

  /**
   * @param rows about how many numbers there will be
   */
  PackedNumbers(int rows) {
    text = new StringBuilder(rows * 2);
  }

  /** Appends a number. */
  void add(long number) {
    long left = number;
    while (left >= MORE) {
      text.append(DIGITS.charAt((int) (left & (MORE - 1)) | MORE));
      left >>>= BITS;
    }
    text.append(DIGITS.charAt((int) left));
  }

  @Override
  public String toString() {
    return text.toString();
  }
}
