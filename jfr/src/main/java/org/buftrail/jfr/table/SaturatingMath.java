package org.buftrail.jfr.table;

/** Arithmetic of amounts, which stops at the ends of the {@code long} range and never wraps. */
public final class SaturatingMath {
  private SaturatingMath() {}

  /** The sum of two amounts. */
  public static long plus(long a, long b) {
    long sum = a + b;
    return ((a ^ sum) & (b ^ sum)) < 0 ? limit(a) : sum;
  }

  /** The product of two amounts. */
  public static long times(long a, long b) {
    long product = a * b;
    return Math.multiplyHigh(a, b) == product >> (Long.SIZE - 1) ? product : limit(a ^ b);
  }

  private static long limit(long sign) {
    return sign < 0 ? Long.MIN_VALUE : Long.MAX_VALUE;
  }
}
