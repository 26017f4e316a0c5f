package org.buftrail.jfr.packing;

/** XXH32, the checksum of LZ4 frames. */
final class XxHash32 extends XxHash {
  private static final int STRIPE = 16;
  private static final int PRIME_1 = 0x9E3779B1;
  private static final int PRIME_2 = 0x85EBCA77;
  private static final int PRIME_3 = 0xC2B2AE3D;
  private static final int PRIME_4 = 0x27D4EB2F;
  private static final int PRIME_5 = 0x165667B1;

  private int lane1;
  private int lane2;
  private int lane3;
  private int lane4;

  XxHash32() {
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
    int first = lane1;
    int second = lane2;
    int third = lane3;
    int fourth = lane4;
    for (int at = from; at < end; at += STRIPE) {
      first = mix(first, (int) LITTLE_INT.get(bytes, at));
      second = mix(second, (int) LITTLE_INT.get(bytes, at + 4));
      third = mix(third, (int) LITTLE_INT.get(bytes, at + 8));
      fourth = mix(fourth, (int) LITTLE_INT.get(bytes, at + 12));
    }
    lane1 = first;
    lane2 = second;
    lane3 = third;
    lane4 = fourth;
  }

  private static int mix(int lane, int input) {
    return Integer.rotateLeft(lane + input * PRIME_2, 13) * PRIME_1;
  }

  @Override
  long finish(long all, byte[] last, int size) {
    int hash =
        all < STRIPE
            ? PRIME_5
            : Integer.rotateLeft(lane1, 1)
                + Integer.rotateLeft(lane2, 7)
                + Integer.rotateLeft(lane3, 12)
                + Integer.rotateLeft(lane4, 18);
    hash += (int) all;
    int at = 0;
    for (; at + 4 <= size; at += 4) {
      hash = Integer.rotateLeft(hash + (int) LITTLE_INT.get(last, at) * PRIME_3, 17) * PRIME_4;
    }
    for (; at < size; at++) {
      hash = Integer.rotateLeft(hash + (last[at] & 0xff) * PRIME_5, 11) * PRIME_1;
    }
    hash = (hash ^ hash >>> 15) * PRIME_2;
    hash = (hash ^ hash >>> 13) * PRIME_3;
    return (hash ^ hash >>> 16) & 0xffffffffL;
  }
}
