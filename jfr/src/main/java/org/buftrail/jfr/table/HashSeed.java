package org.buftrail.jfr.table;

import java.util.concurrent.ThreadLocalRandom;

/**
 * Factors of hashes, drawn at random: nobody can prepare a recording whose keys all meet in one
 * slot.
 */
public final class HashSeed {
  private HashSeed() {}

  /** So many of them. */
  public static long[] draw(int count) {
    long[] factors = new long[count];
    for (int i = 0; i < count; i++) {
      factors[i] = ThreadLocalRandom.current().nextLong();
    }
    return factors;
  }
}
