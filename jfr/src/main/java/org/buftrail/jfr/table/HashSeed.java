package org.buftrail.jfr.table;

import java.util.SplittableRandom;

/**
 * Factors of hashes, drawn at random: nobody can prepare a recording whose keys all meet in one
 * slot.
 */
public final class HashSeed {
  private HashSeed() {}

  /** So many of them. */
  public static long[] draw(int count) {
    SplittableRandom random = new SplittableRandom();
    long[] factors = new long[count];
    // Not as a stream: the first of a JVM takes some milliseconds.
    for (int i = 0; i < count; i++) {
      factors[i] = random.nextLong();
    }
    return factors;
  }
}
