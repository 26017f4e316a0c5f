package org.buftrail.agent.source;

import java.util.Arrays;
import java.util.BitSet;
import java.util.function.IntFunction;
import org.buftrail.model.Births;
import org.buftrail.model.Minutes;
import org.buftrail.model.Path;
import org.buftrail.model.Snapshot;
import org.jspecify.annotations.Nullable;

/**
 * What changed on each path in each minute of the last 24 hours. At most 6.5 MiB: a minute has room
 * for some 300 paths, and where more changed, the changes of those that changed least are noted in
 * a later minute. Paths with numbers of {@value #MAX_PATHS} and more are in the sum alone.
 * Thread-safe.
 */
public final class MinuteStore {
  static final int INTERVALS = 24 * 60;
  static final int MAX_PATHS = 1 << 14;

  /** The rows of a minute take at most so many bytes. */
  private static final int MAX_BYTES = 3_200;

  private static final long MINUTE_NANOS = Births.MINUTE_MILLIS * 1_000_000;

  private static final int AMOUNTS = MinuteRows.AMOUNTS;

  private final IntFunction<@Nullable Path> pathOf;
  private final byte[][] rows = new byte[INTERVALS][];
  private final long[] ends = new long[INTERVALS];
  private final long[][] totals = new long[INTERVALS][];
  private long beganMillis;
  private long lastNanos = System.nanoTime();
  private int next;
  private int size;

  /** By path, the amounts that the intervals so far add up to. */
  private long[] noted = {};

  private long[] notedTotal = new long[AMOUNTS];

  /** By path, the amounts of the snapshot that is looked at. */
  private long[] current = {};

  private long[] currentTotal = new long[AMOUNTS];

  /**
   * @param beganMillis when counting began, in milliseconds since the epoch
   * @param pathOf a path by its number
   */
  public MinuteStore(long beganMillis, IntFunction<@Nullable Path> pathOf) {
    this.beganMillis = beganMillis;
    this.pathOf = pathOf;
  }

  /** When the last interval ended, in milliseconds since the epoch. */
  public synchronized long lastEnd() {
    return size == 0 ? beganMillis : ends[(next + INTERVALS - 1) % INTERVALS];
  }

  /**
   * Whether a full minute has begun since the last interval ended. Where somebody has set the clock
   * back, an interval ends a minute after the one before.
   */
  public synchronized boolean isDue(long nowMillis, long nanos) {
    long minutes = nowMillis / Births.MINUTE_MILLIS - lastEnd() / Births.MINUTE_MILLIS;
    return minutes > 0 || (minutes < 0 && nanos - lastNanos >= MINUTE_NANOS);
  }

  /** Ends an interval with what a snapshot of everything since the start says. */
  public synchronized void end(Snapshot now) {
    lastNanos = System.nanoTime();
    read(now);
    MinuteRows packed = pack(changed());
    if (size == INTERVALS) {
      beganMillis = ends[next];
    }
    rows[next] = packed.packed();
    ends[next] = Math.max(now.takenAtMillis(), lastEnd() + 1);
    totals[next] = less(currentTotal, 0, notedTotal, 0);
    notedTotal = currentTotal.clone();
    next = (next + 1) % INTERVALS;
    size = Math.min(size + 1, INTERVALS);
  }

  /** The memory that the rows take. */
  synchronized long bytes() {
    long bytes = 0;
    for (int i = 0; i < size; i++) {
      bytes += rows[i].length;
    }
    return bytes;
  }

  /** Fills {@link #current}. */
  private void read(Snapshot now) {
    Arrays.fill(current, 0);
    Arrays.fill(currentTotal, 0);
    for (Path path : now.paths()) {
      if (path.resource() == null) {
        add(path, currentTotal, 0);
        int number = path.number();
        if (number >= 0 && number < MAX_PATHS) {
          reserve(number);
          add(path, current, number * AMOUNTS);
        }
      }
    }
  }

  private static void add(Path path, long[] to, int at) {
    to[at] += path.released().count();
    to[at + 1] += path.released().bytes();
    to[at + 2] += path.leaked().count() + path.held() + path.dropped().count();
    to[at + 3] += path.leaked().bytes() + path.dropped().bytes();
    to[at + 4] += path.live().count();
    to[at + 5] += path.live().bytes();
  }

  private void reserve(int number) {
    int needed = (number + 1) * AMOUNTS;
    if (needed > current.length) {
      int length = Math.min(MAX_PATHS * AMOUNTS, needed + (needed >> 1));
      current = Arrays.copyOf(current, length);
      noted = Arrays.copyOf(noted, length);
    }
  }

  /** The paths of which an amount is not what is noted. */
  private BitSet changed() {
    BitSet changed = new BitSet();
    for (int i = 0; i < current.length; i++) {
      if (current[i] != noted[i]) {
        changed.set(i / AMOUNTS);
        i += AMOUNTS - 1 - i % AMOUNTS;
      }
    }
    return changed;
  }

  /** Packs what there is room for, those first that changed most, and notes it. */
  private MinuteRows pack(BitSet changed) {
    MinuteRows all = new MinuteRows();
    long least = 0;
    BitSet chosen = changed;
    while (true) {
      for (int path = chosen.nextSetBit(0); path >= 0; path = chosen.nextSetBit(path + 1)) {
        all.add(path, changes(path));
      }
      if (all.size() <= MAX_BYTES) {
        break;
      }
      least = Math.max(1, least * 2);
      chosen = changedBy(least, chosen);
      all = new MinuteRows();
    }
    for (int path = chosen.nextSetBit(0); path >= 0; path = chosen.nextSetBit(path + 1)) {
      System.arraycopy(current, path * AMOUNTS, noted, path * AMOUNTS, AMOUNTS);
    }
    return all;
  }

  private BitSet changedBy(long least, BitSet paths) {
    BitSet chosen = new BitSet();
    for (int path = paths.nextSetBit(0); path >= 0; path = paths.nextSetBit(path + 1)) {
      long most = 0;
      for (long change : changes(path)) {
        most = Math.max(most, Math.abs(change));
      }
      if (most >= least) {
        chosen.set(path);
      }
    }
    return chosen;
  }

  private long[] changes(int path) {
    return less(current, path * AMOUNTS, noted, path * AMOUNTS);
  }

  private static long[] less(long[] now, int at, long[] before, int beforeAt) {
    long[] changes = new long[AMOUNTS];
    for (int i = 0; i < AMOUNTS; i++) {
      changes[i] = now[at + i] - before[beforeAt + i];
    }
    return changes;
  }

  /**
   * What is kept, up to the moment of a snapshot.
   *
   * @param now of everything since the start
   */
  public synchronized Minutes upTo(Snapshot now) {
    read(now);
    MinuteSeries series = new MinuteSeries();
    for (int i = 0; i < size; i++) {
      int at = (next - size + i + INTERVALS) % INTERVALS;
      series.interval(i, totals[at], rows[at]);
    }
    long[] until = new long[size + 1];
    for (int i = 0; i < size; i++) {
      until[i] = ends[(next - size + i + INTERVALS) % INTERVALS];
    }
    until[size] = Math.max(now.takenAtMillis(), lastEnd() + 1);
    BitSet changed = changed();
    for (int path = changed.nextSetBit(0); path >= 0; path = changed.nextSetBit(path + 1)) {
      series.change(size, path, changes(path));
    }
    series.total(less(currentTotal, 0, notedTotal, 0));
    return series.build(beganMillis, until, current, currentTotal, now, pathOf);
  }
}
