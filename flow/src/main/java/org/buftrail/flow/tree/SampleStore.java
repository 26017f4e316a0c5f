package org.buftrail.flow.tree;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import org.buftrail.flow.base.Ticks;
import org.buftrail.model.ReleaseSamples;
import org.jspecify.annotations.Nullable;

/**
 * How long 1 in {@value #EVERY} flows lived and how large it was, by end, in powers of two.
 *
 * <p>At most {@value #MAX_BYTES} bytes; pages are made when needed. Once all records are taken,
 * further ends have none.
 *
 * <pre>
 *   index   end (20 bits), record (12 bits), hashed by the end; 0 when empty
 *   record  longest life in ms; tick at which the youngest began; lifetimes (32); sizes (28)
 * </pre>
 *
 * <p>Any thread. Records are taken under the monitor and never given up; counts are added to
 * atomically. The longest life and the youngest birth may lose a race against another of that
 * moment.
 */
public final class SampleStore {
  /** Of so many releases one is sampled. A power of two. */
  public static final int EVERY = 64;

  static final int MAX_BYTES = 1 << 20;

  private static final int INDEX_BITS = 13;
  private static final int RECORD_BITS = 12;
  private static final int PAGE_BITS = 6;

  private static final int LONGEST = 0;
  private static final int YOUNGEST = 1;
  private static final int FIRST_LIFETIME = 2;
  private static final int FIRST_SIZE = FIRST_LIFETIME + ReleaseSamples.LIFETIMES;
  private static final int RECORD = FIRST_SIZE + ReleaseSamples.SIZES;

  private static final int PAGE_BYTES = 16 + (RECORD << PAGE_BITS) * Integer.BYTES;

  /** How many pages fit beside the index. */
  private static final int PAGES = (MAX_BYTES - (Integer.BYTES << INDEX_BITS) - 1_024) / PAGE_BYTES;

  static final int MAX_RECORDS = PAGES << PAGE_BITS;

  private static final int MAX_END = (1 << (Integer.SIZE - RECORD_BITS)) - 1;
  private static final int NONE = -1;

  private static final VarHandle INTS = MethodHandles.arrayElementVarHandle(int[].class);

  private final int[] index = new int[1 << INDEX_BITS];
  private final int[][] pages = new int[PAGES][];

  /** Guarded by this. */
  private int records;

  /**
   * A flow ended.
   *
   * @param end {@link Node#endId} of where
   * @param micros how long it lived, 0 or more
   * @param bytes what it counted for
   */
  public void add(int end, long micros, int bytes) {
    int record = record(end);
    if (record == NONE) {
      return;
    }
    int[] page = page(record);
    int at = at(record);
    increment(page, at + FIRST_LIFETIME + classOf(micros, ReleaseSamples.LIFETIMES));
    increment(page, at + FIRST_SIZE + classOf(bytes, ReleaseSamples.SIZES));
    int born = Ticks.now() - Ticks.ofMicros(micros);
    if (born - page[at + YOUNGEST] > 0) {
      page[at + YOUNGEST] = born;
    }
    noteLife(page, at, micros);
  }

  /** A flow that is not sampled lived long. */
  public void addLong(int end, long micros) {
    int record = record(end);
    if (record != NONE) {
      noteLife(page(record), at(record), micros);
    }
  }

  /** Returns the old value, since the JVM knows the handle with this type. */
  private static int increment(int[] page, int at) {
    return (int) INTS.getAndAdd(page, at, 1);
  }

  private static int classOf(long value, int classes) {
    return Math.min(classes - 1, Long.SIZE - Long.numberOfLeadingZeros(value));
  }

  private static void noteLife(int[] page, int at, long micros) {
    int millis = (int) Math.min(Integer.MAX_VALUE, micros / 1_000);
    if (millis > page[at + LONGEST]) {
      page[at + LONGEST] = millis;
    }
  }

  private int[] page(int record) {
    return pages[record >>> PAGE_BITS];
  }

  private static int at(int record) {
    return (record & (1 << PAGE_BITS) - 1) * RECORD;
  }

  private int record(int end) {
    int known = find(end);
    return known != NONE ? known : make(end);
  }

  /** The place of an end in the index, or an empty one. */
  private int place(int end) {
    int mask = index.length - 1;
    int i = (end * 0x9E3779B9) >>> (Integer.SIZE - INDEX_BITS);
    while (true) {
      int entry = (int) INTS.getAcquire(index, i);
      if (entry == 0 || entry >>> RECORD_BITS == end) {
        return i;
      }
      i = i + 1 & mask;
    }
  }

  private int find(int end) {
    int entry = (int) INTS.getAcquire(index, place(end));
    return entry >>> RECORD_BITS == end ? entry & (1 << RECORD_BITS) - 1 : NONE;
  }

  private synchronized int make(int end) {
    int known = find(end);
    if (known != NONE || records == MAX_RECORDS || end > MAX_END) {
      return known;
    }
    int record = records;
    if (pages[record >>> PAGE_BITS] == null) {
      pages[record >>> PAGE_BITS] = new int[RECORD << PAGE_BITS];
    }
    pages[record >>> PAGE_BITS][at(record) + YOUNGEST] = Integer.MIN_VALUE / 2;
    INTS.setRelease(index, place(end), end << RECORD_BITS | record);
    records++;
    return record;
  }

  /**
   * Returns the samples of an end; null if nothing was sampled.
   *
   * @param end {@link Node#endId}
   * @param now tick of {@link Ticks}
   */
  public @Nullable ReleaseSamples of(int end, int now) {
    int record = end == 0 ? NONE : find(end);
    if (record == NONE) {
      return null;
    }
    int[] page = page(record);
    int at = at(record);
    long[] lifetimes = new long[ReleaseSamples.LIFETIMES];
    long[] sizes = new long[ReleaseSamples.SIZES];
    copy(page, at + FIRST_LIFETIME, lifetimes);
    copy(page, at + FIRST_SIZE, sizes);
    long youngest = Ticks.millis(Ticks.age(page[at + YOUNGEST], now));
    return new ReleaseSamples(lifetimes, sizes, page[at + LONGEST], youngest);
  }

  private static void copy(int[] page, int from, long[] to) {
    for (int i = 0; i < to.length; i++) {
      to[i] = page[from + i];
    }
  }
}
