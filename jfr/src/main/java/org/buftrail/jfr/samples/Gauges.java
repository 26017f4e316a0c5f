package org.buftrail.jfr.samples;

import java.util.Arrays;
import org.buftrail.profile.dictionary.KeyTable;

/**
 * Values of which the last of each identity counts; or, of events that say together what is at a
 * moment, those of the last moment.
 */
public final class Gauges {
  private static final long MOMENT_NANOS = 500_000_000;

  private KeyTable keys = new KeyTable();
  private long[] values = new long[3 * 16];
  private boolean newest;
  private long latest = Long.MIN_VALUE;

  /** Counts only what came at the last moment from now on. */
  public void onlyNewest() {
    newest = true;
  }

  /** Replaces the values of an identity. */
  public void put(int stack, int attributes, int link, long time, long first, long second) {
    int at = 3 * keys.intern(stack, attributes, link);
    if (at == values.length) {
      values = Arrays.copyOf(values, at * 2);
    }
    if (newest && time < values[at]) {
      return;
    }
    latest = Math.max(latest, time);
    values[at] = time;
    values[at + 1] = first;
    values[at + 2] = second;
  }

  /** Adds the values to samples and starts anew. */
  public void endProcess(ProfileBuilder sums) {
    for (int i = 0; i < keys.size(); i++) {
      if (newest && values[3 * i] < latest - MOMENT_NANOS) {
        continue;
      }
      sums.put(
          keys.stack(i),
          keys.attributeSet(i),
          keys.link(i),
          values[3 * i],
          values[3 * i + 1],
          values[3 * i + 2]);
    }
    clear();
  }

  /** Has the identities point into another dictionary. */
  public void move(DictionaryCopy copy) {
    KeyTable moved = new KeyTable();
    long[] kept = new long[values.length];
    for (int i = 0; i < keys.size(); i++) {
      System.arraycopy(values, 3 * i, kept, 3 * copy.identity(keys, i, moved), 3);
    }
    keys = moved;
    values = kept;
  }

  /** Forgets all values. */
  public void clear() {
    keys.clear();
    Arrays.fill(values, 0);
    latest = Long.MIN_VALUE;
  }
}
