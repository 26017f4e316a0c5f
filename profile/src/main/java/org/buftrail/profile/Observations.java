package org.buftrail.profile;

import java.util.Arrays;

/**
 * Single values with their times, appended in any order and read by sample.
 *
 * <p>Reading needs them grouped: a counting sort makes a list of positions, in which those of a
 * sample follow one another in the order they were seen. Belongs to one thread.
 */
public final class Observations {
  private final int columns;
  private int[] samples = new int[16];
  private long[] times = new long[16];
  private long[] values;
  private int size;
  private boolean ones = true;
  private boolean secondOnes = true;

  private int[] starts = new int[1];
  private int[] positions = new int[0];
  private int grouped = -1;

  Observations(int columns) {
    this.columns = columns;
    this.values = new long[16 * columns];
  }

  void add(int sample, long time, long first, long second) {
    if (size == samples.length) {
      int room = Math.addExact(size, Math.min(size, (1 << 30) / columns - size));
      if (room == size) {
        throw new IllegalStateException(
            "a profile holds " + size + " time stamps, the most it can; split the input");
      }
      samples = Arrays.copyOf(samples, room);
      times = Arrays.copyOf(times, room);
      values = Arrays.copyOf(values, room * columns);
    }
    samples[size] = sample;
    times[size] = time;
    values[size * columns] = first;
    ones &= first == 1;
    if (columns == 2) {
      values[size * 2 + 1] = second;
      secondOnes &= second == 1;
    }
    size++;
  }

  void group(int sampleCount) {
    if (grouped == size && starts.length == sampleCount + 1) {
      return;
    }
    starts = new int[sampleCount + 1];
    for (int i = 0; i < size; i++) {
      starts[samples[i] + 1]++;
    }
    for (int i = 0; i < sampleCount; i++) {
      starts[i + 1] += starts[i];
    }
    int[] next = Arrays.copyOf(starts, sampleCount);
    positions = new int[size];
    for (int i = 0; i < size; i++) {
      positions[next[samples[i]]++] = i;
    }
    grouped = size;
  }

  /** Number of observations of all samples. */
  public int size() {
    return size;
  }

  /** Whether every value in a column, 0 or 1, is 1, so that times alone say everything. */
  public boolean areOnes(int column) {
    return column == 0 ? ones : secondOnes;
  }

  /** Number of observations of a sample. */
  public int count(int sample) {
    return starts[sample + 1] - starts[sample];
  }

  /** The time of an observation of a sample, in nanoseconds since 1970-01-01T00:00Z. */
  public long time(int sample, int observation) {
    return times[positions[starts[sample] + observation]];
  }

  /** The value of an observation of a sample in a column, 0 or 1. */
  public long value(int sample, int observation, int column) {
    return values[positions[starts[sample] + observation] * columns + column];
  }
}
