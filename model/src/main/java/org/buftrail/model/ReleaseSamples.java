package org.buftrail.model;

import java.util.Arrays;

/**
 * Lifetimes and sizes of sampled releases, counted by powers of two: class {@code i} has what is
 * less than 2^i and not less than 2^(i-1), the last one all that is more. Immutable, thread-safe.
 */
public final class ReleaseSamples {
  /** Classes of lifetimes, in microseconds. */
  public static final int LIFETIMES = 32;

  /** Classes of sizes, in bytes. */
  public static final int SIZES = 28;

  private final long[] lifetimes;
  private final long[] sizes;
  private final long longestMillis;
  private final long youngestMillis;

  /**
   * Samples of one path.
   *
   * @param lifetimes releases by class, at most {@link #LIFETIMES}
   * @param sizes releases by class, at most {@link #SIZES}
   * @param longestMillis the longest life of any release, sampled or not; 0 if all were short
   * @param youngestMillis how long ago the latest of the sampled flows began
   */
  public ReleaseSamples(long[] lifetimes, long[] sizes, long longestMillis, long youngestMillis) {
    this.lifetimes = Arrays.copyOf(lifetimes, LIFETIMES);
    this.sizes = Arrays.copyOf(sizes, SIZES);
    this.longestMillis = longestMillis;
    this.youngestMillis = youngestMillis;
  }

  /** How many releases were sampled. */
  public long count() {
    long count = 0;
    for (long some : lifetimes) {
      count += some;
    }
    return count;
  }

  /** Releases of a class of lifetimes, 0 to {@link #LIFETIMES} - 1. */
  public long lifetimes(int index) {
    return lifetimes[index];
  }

  /** Releases of a class of sizes, 0 to {@link #SIZES} - 1. */
  public long sizes(int index) {
    return sizes[index];
  }

  /** The longest life of any release in milliseconds, sampled or not; 0 if all were short. */
  public long longestMillis() {
    return longestMillis;
  }

  /** How long ago the latest of the sampled flows began, in milliseconds. */
  public long youngestMillis() {
    return youngestMillis;
  }

  /**
   * A time within which so many of 100 were released, in microseconds; 0 without samples.
   *
   * @param percent 1 to 100
   */
  public long microsOf(int percent) {
    long wanted = (count() * percent + 99) / 100;
    long seen = 0;
    for (int i = 0; i < LIFETIMES; i++) {
      seen += lifetimes[i];
      if (seen >= wanted && wanted > 0) {
        return 1L << i;
      }
    }
    return 0;
  }

  /** These and those of another path. */
  public ReleaseSamples plus(ReleaseSamples other) {
    long[] lives = lifetimes.clone();
    long[] bytes = sizes.clone();
    for (int i = 0; i < lives.length; i++) {
      lives[i] += other.lifetimes[i];
    }
    for (int i = 0; i < bytes.length; i++) {
      bytes[i] += other.sizes[i];
    }
    return new ReleaseSamples(
        lives,
        bytes,
        Math.max(longestMillis, other.longestMillis),
        Math.min(youngestMillis, other.youngestMillis));
  }
}
