package org.buftrail.profile.dictionary;

/** How long an array becomes when it is full. */
final class Growth {
  private static final int LARGEST = Integer.MAX_VALUE - 8;

  private Growth() {}

  /**
   * @param length the length now
   * @param needed the least length that will do; above {@code int} range when nothing will
   * @throws IllegalStateException if no Java array is long enough
   */
  static int of(int length, long needed) {
    check(needed);
    return (int) Math.max(needed, Math.min(LARGEST, length + (long) (length >> 1) + 16));
  }

  /**
   * @throws IllegalStateException if no Java array is so long
   */
  static void check(long needed) {
    if (needed > LARGEST) {
      throw new IllegalStateException(
          "a dictionary table needs "
              + needed
              + " elements, more than an array holds; split the"
              + " input");
    }
  }
}
