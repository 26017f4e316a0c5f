package org.buftrail.profile.hash;

import java.util.concurrent.ThreadLocalRandom;

/**
 * Hashes of what tables hold. They start from a number drawn once per process, so nobody can
 * prepare a recording whose entries all meet in one slot. Indices do not depend on hashes: output
 * is the same in every run.
 */
public final class Hashing {
  private static final long SEED = ThreadLocalRandom.current().nextLong();
  private static final long ODD1 = 0x9E3779B97F4A7C15L;
  private static final long ODD2 = 0xC2B2AE3D27D4EB4FL;
  private static final long ODD3 = 0x165667B19E3779F9L;

  private Hashing() {}

  public static int of(long value) {
    return mix((SEED ^ value) * ODD1);
  }

  public static int of(int a, int b) {
    return of(pair(a, b));
  }

  public static int of(int a, int b, int c, int d) {
    long left = (SEED ^ pair(a, b)) * ODD1;
    long right = pair(c, d) * ODD2;
    return mix(left ^ Long.rotateLeft(right, 31));
  }

  public static int of(long a, long b, long c) {
    long left = (SEED ^ a) * ODD1;
    long middle = Long.rotateLeft(b * ODD2, 23);
    return mix(left ^ middle ^ Long.rotateLeft(c * ODD3, 41));
  }

  public static int of(int[] values, int from, int to) {
    // Two chains, so that the multiplications of one overlap those of the other.
    long left = SEED ^ (to - from);
    long right = ODD3;
    int i = from;
    for (; i <= to - 4; i += 4) {
      left = step(left, pair(values[i], values[i + 1]), ODD1);
      right = step(right, pair(values[i + 2], values[i + 3]), ODD2);
    }
    for (; i < to; i++) {
      left = step(left, values[i], ODD1);
    }
    return mix(left ^ Long.rotateLeft(right, 17) * ODD3);
  }

  public static int of(byte[] bytes, int offset, int length) {
    long hash = SEED ^ length;
    int end = offset + length;
    for (int i = offset; i <= end - Long.BYTES; i += Long.BYTES) {
      hash = step(hash, Words.get(bytes, i), ODD1);
    }
    // What is left, and of long texts some bytes once more.
    return mix(step(hash, last(bytes, offset, length), ODD2));
  }

  private static long last(byte[] bytes, int offset, int length) {
    if (length >= Long.BYTES) {
      return Words.get(bytes, offset + length - Long.BYTES);
    }
    long rest = 0;
    for (int i = offset; i < offset + length; i++) {
      rest = rest << 8 | (bytes[i] & 0xFF);
    }
    return rest;
  }

  private static long step(long hash, long value, long odd) {
    return Long.rotateLeft(hash ^ value, 29) * odd;
  }

  private static long pair(int low, int high) {
    return (long) high << 32 | (low & 0xFFFFFFFFL);
  }

  private static int mix(long hash) {
    long h = (hash ^ hash >>> 32) * ODD2;
    return (int) (h >>> 32);
  }
}
