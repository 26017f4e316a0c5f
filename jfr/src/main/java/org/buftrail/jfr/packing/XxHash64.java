package org.buftrail.jfr.packing;

/** XXH64, of which Zstandard frames keep the lower half. */
final class XxHash64 extends XxHash {
  private static final int STRIPE = 32;
  private static final long PRIME_1 = 0x9E3779B185EBCA87L;
  private static final long PRIME_2 = 0xC2B2AE3D27D4EB4FL;
  private static final long PRIME_3 = 0x165667B19E3779F9L;
  private static final long PRIME_4 = 0x85EBCA77C2B2AE63L;
  private static final long PRIME_5 = 0x27D4EB2F165667C5L;

  private long lane1;
  private long lane2;
  private long lane3;
  private long lane4;

  XxHash64() {
    super(STRIPE);
    begin();
  }

  @Override
  void begin() {
    lane1 = PRIME_1;
    lane1 += PRIME_2;
    lane2 = PRIME_2;
    lane3 = 0;
    lane4 = -PRIME_1;
  }

  @Override
  void take(byte[] bytes, int from, int end) {
    long first = lane1;
    long second = lane2;
    long third = lane3;
    long fourth = lane4;
    for (int at = from; at < end; at += STRIPE) {
      first = mix(first, (long) LITTLE_LONG.get(bytes, at));
      second = mix(second, (long) LITTLE_LONG.get(bytes, at + 8));
      third = mix(third, (long) LITTLE_LONG.get(bytes, at + 16));
      fourth = mix(fourth, (long) LITTLE_LONG.get(bytes, at + 24));
    }
    lane1 = first;
    lane2 = second;
    lane3 = third;
    lane4 = fourth;
  }

  private static long mix(long lane, long input) {
    return Long.rotateLeft(lane + input * PRIME_2, 31) * PRIME_1;
  }

  private static long merge(long hash, long lane) {
    return (hash ^ mix(0, lane)) * PRIME_1 + PRIME_4;
  }

  private long merged() {
    long hash =
        Long.rotateLeft(lane1, 1)
            + Long.rotateLeft(lane2, 7)
            + Long.rotateLeft(lane3, 12)
            + Long.rotateLeft(lane4, 18);
    return merge(merge(merge(merge(hash, lane1), lane2), lane3), lane4);
  }

  @Override
  long finish(long all, byte[] last, int size) {
    long hash = (all < STRIPE ? PRIME_5 : merged()) + all;
    int at = 0;
    for (; at + 8 <= size; at += 8) {
      long input = mix(0, (long) LITTLE_LONG.get(last, at));
      hash = Long.rotateLeft(hash ^ input, 27) * PRIME_1 + PRIME_4;
    }
    if (at + 4 <= size) {
      long input = ((int) LITTLE_INT.get(last, at) & 0xffffffffL) * PRIME_1;
      hash = Long.rotateLeft(hash ^ input, 23) * PRIME_2 + PRIME_3;
      at += 4;
    }
    for (; at < size; at++) {
      hash = Long.rotateLeft(hash ^ (last[at] & 0xff) * PRIME_5, 11) * PRIME_1;
    }
    hash = (hash ^ hash >>> 33) * PRIME_2;
    hash = (hash ^ hash >>> 29) * PRIME_3;
    return hash ^ hash >>> 32;
  }
}
