package org.buftrail.profile;

import java.util.Arrays;
import org.buftrail.profile.dictionary.KeyTable;

/**
 * What was seen where: one or two values for each {stack, attribute set, link}. Two values, such as
 * a count and bytes, give two {@linkplain Profile profiles} that share these samples.
 *
 * <p>Samples are either <em>summed</em>, one total for each identity, or <em>observed</em>, every
 * value kept with its time. Sums stop at the ends of the {@code long} range instead of wrapping.
 * Memory: 22 to 28 bytes an identity and 8 bytes a value; observed, 12 bytes and 8 bytes a value
 * for each observation on top.
 *
 * <p>Belongs to one thread.
 */
public final class Samples {
  private static final int MAX_COLUMNS = 2;

  private final KeyTable keys = new KeyTable();
  private final int columns;
  private final boolean observed;
  private long[] sums;
  private Observations observations;

  private Samples(int columns, boolean observed) {
    if (columns < 1 || columns > MAX_COLUMNS) {
      throw new IllegalArgumentException("samples have 1 or 2 values, not " + columns);
    }
    this.columns = columns;
    this.observed = observed;
    this.sums = new long[columns * 16];
    this.observations = new Observations(columns);
  }

  /**
   * Samples of which only totals are kept.
   *
   * @param columns values for each sample, 1 or 2
   */
  public static Samples summed(int columns) {
    return new Samples(columns, false);
  }

  /**
   * Samples of which every value is kept with its time.
   *
   * @param columns values for each observation, 1 or 2
   */
  public static Samples observed(int columns) {
    return new Samples(columns, true);
  }

  /** Values for each sample, 1 or 2. */
  public int columns() {
    return columns;
  }

  /** Whether every value is kept with its time. */
  public boolean isObserved() {
    return observed;
  }

  /** Number of identities. */
  public int size() {
    return keys.size();
  }

  /** Whether nothing was seen. */
  public boolean isEmpty() {
    return keys.size() == 0;
  }

  /** Adds to the total of an identity. Only for summed samples of one value. */
  public void add(int stack, int attributeSet, int link, long value) {
    require(1, false);
    int index = indexOf(stack, attributeSet, link);
    sums[index] = plus(sums[index], value);
  }

  /** Adds to both totals of an identity. Only for summed samples of two values. */
  public void add(int stack, int attributeSet, int link, long first, long second) {
    require(2, false);
    int at = indexOf(stack, attributeSet, link) * 2;
    sums[at] = plus(sums[at], first);
    sums[at + 1] = plus(sums[at + 1], second);
  }

  /**
   * Keeps one observation. Only for observed samples of one value.
   *
   * @param time nanoseconds since 1970-01-01T00:00Z
   */
  public void observe(int stack, int attributeSet, int link, long time, long value) {
    require(1, true);
    int index = indexOf(stack, attributeSet, link);
    sums[index] = plus(sums[index], value);
    observations.add(index, time, value, 0);
  }

  /**
   * Keeps one observation. Only for observed samples of two values.
   *
   * @param time nanoseconds since 1970-01-01T00:00Z
   */
  public void observe(int stack, int attributeSet, int link, long time, long first, long second) {
    require(2, true);
    int index = indexOf(stack, attributeSet, link);
    sums[index * 2] = plus(sums[index * 2], first);
    sums[index * 2 + 1] = plus(sums[index * 2 + 1], second);
    observations.add(index, time, first, second);
  }

  private void require(int wantedColumns, boolean wantedObserved) {
    if (columns != wantedColumns || observed != wantedObserved) {
      throw new IllegalStateException(
          "these samples are "
              + (observed ? "observed" : "summed")
              + " with values for each: "
              + columns);
    }
  }

  private int indexOf(int stack, int attributeSet, int link) {
    int index = keys.intern(stack, attributeSet, link);
    int end = (index + 1) * columns;
    if (end > sums.length) {
      sums = Arrays.copyOf(sums, Math.max(end, Math.min(sums.length * 2, 1 << 30)));
    }
    return index;
  }

  /** The sum of two values, which stops at the ends of the {@code long} range. */
  public static long plus(long a, long b) {
    long sum = a + b;
    boolean overflows = ((a ^ sum) & (b ^ sum)) < 0;
    return overflows ? (a < 0 ? Long.MIN_VALUE : Long.MAX_VALUE) : sum;
  }

  /** The stack of a sample. */
  public int stack(int sample) {
    return keys.stack(sample);
  }

  /** The attribute set of a sample. */
  public int attributeSet(int sample) {
    return keys.attributeSet(sample);
  }

  /** The link of a sample, or 0. */
  public int link(int sample) {
    return keys.link(sample);
  }

  /** The total of a sample in a column, 0 or 1. */
  public long sum(int sample, int column) {
    return sums[sample * columns + column];
  }

  /** The total of all samples in a column, 0 or 1. */
  public long total(int column) {
    long total = 0;
    for (int i = 0; i < size(); i++) {
      total = plus(total, sum(i, column));
    }
    return total;
  }

  /** The single observations by sample; empty for summed samples. Valid until the next change. */
  public Observations observations() {
    observations.group(size());
    return observations;
  }

  /** Forgets all samples and keeps the memory. */
  public void clear() {
    Arrays.fill(sums, 0, size() * columns, 0);
    keys.clear();
    observations = new Observations(columns);
  }
}
