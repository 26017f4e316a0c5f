package org.buftrail.jfr.events;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Deque;
import java.util.List;
import org.buftrail.jfr.table.LongIntMap;
import org.jspecify.annotations.Nullable;

/**
 * Stretches of time of threads, each with a tag. First they are collected, in any order, then
 * arranged, and then asked for: of stretches that overlap, the one that began last counts.
 */
public final class Spans {
  private final List<Span> spans = new ArrayList<>();
  private final Deque<Span> open = new ArrayDeque<>();

  private long before = Long.MAX_VALUE;
  private int most = Integer.MAX_VALUE;
  private long refused;
  private @Nullable Spans others;

  // Threads by the order of their keys; where the changes of each begin, and of all, when and to
  // what the tag changes, and when the stretch that it is of began.
  private final LongIntMap threads = new LongIntMap();
  private int[] first = new int[16];
  private long[] times = new long[64];
  private long[] tags = new long[64];
  private long[] starts = new long[64];
  private int changes;

  /** A stretch of the time of a thread, up to its end but without it. */
  public record Span(long thread, long start, long end, long tag) implements Comparable<Span> {
    /**
     * By thread and start; of those that start at once, the longest is around the others. Those
     * that differ in their tags alone stay as they are.
     */
    @Override
    public int compareTo(Span other) {
      int order = Long.compare(thread, other.thread);
      order = order != 0 ? order : Long.compare(start, other.start);
      return order != 0 ? order : Long.compare(other.end, end);
    }
  }

  /** Forgets all, also what was said of which to collect and of others. */
  public void clear() {
    spans.clear();
    threads.clear();
    changes = 0;
    limit(Long.MAX_VALUE, Integer.MAX_VALUE);
    refused = 0;
    others = null;
  }

  /** Collects only stretches that begin before a time from now on; more than some are counted. */
  public void limit(long latest, int count) {
    before = latest;
    most = count;
  }

  /** Asks others too from now on, which have been arranged. */
  public void beside(@Nullable Spans arranged) {
    others = arranged;
  }

  /** Whether others are asked too. */
  public boolean hasOthers() {
    return others != null;
  }

  /** Adds a stretch, unless they have been arranged. */
  public void add(long thread, long start, long duration, long tag) {
    if (changes == 0 && thread != 0 && tag != 0 && start < before) {
      long length = Math.max(0, duration);
      long end = start > Long.MAX_VALUE - length ? Long.MAX_VALUE : start + length;
      add(new Span(thread, start, end, tag));
    }
  }

  private void add(Span span) {
    if (spans.size() < most) {
      spans.add(span);
    } else {
      refused++;
    }
  }

  /** Adds a stretch of others, with a tag in place of its own. */
  public void add(Span span, long tag) {
    add(new Span(span.thread, span.start, span.end, tag));
  }

  /** Those that have been collected, until they are arranged. */
  public List<Span> collected() {
    return spans;
  }

  /** How many were not collected because there are too many. */
  public long refused() {
    return refused;
  }

  /** Makes the stretches ready to be asked for; answers whether there are any. */
  public boolean arrange() {
    Collections.sort(spans);
    for (Span span : spans) {
      if (threads.get(span.thread) < 0) {
        end(Long.MAX_VALUE);
        int thread = threads.intern(span.thread);
        first = first.length > thread + 1 ? first : Arrays.copyOf(first, thread * 2);
        first[thread] = changes;
      }
      end(span.start);
      change(span.start, span);
      open.push(span);
    }
    end(Long.MAX_VALUE);
    first[threads.size()] = changes;
    spans.clear();
    return changes > 0;
  }

  /** Ends what ends up to a time; what is around it goes on. */
  private void end(long until) {
    while (!open.isEmpty() && open.element().end <= until) {
      long at = open.pop().end;
      while (!open.isEmpty() && open.element().end <= at) {
        open.pop();
      }
      change(at, open.peek());
    }
  }

  private void change(long at, @Nullable Span span) {
    boolean isAgain = changes > first[threads.size() - 1] && times[changes - 1] == at;
    int change = isAgain ? changes - 1 : changes++;
    if (change == times.length) {
      times = Arrays.copyOf(times, change * 2);
      tags = Arrays.copyOf(tags, change * 2);
      starts = Arrays.copyOf(starts, change * 2);
    }
    times[change] = at;
    tags[change] = span == null ? 0 : span.tag;
    starts[change] = span == null ? 0 : span.start;
  }

  /** The tag of a thread at a time, or 0. */
  public long tagAt(long thread, long at) {
    int change = changeAt(thread, at);
    long tag = change < 0 ? 0 : tags[change];
    Spans beside = others;
    if (beside == null) {
      return tag;
    }
    int other = beside.changeAt(thread, at);
    long otherTag = other < 0 ? 0 : beside.tags[other];
    return tag == 0 || (otherTag != 0 && beside.starts[other] > starts[change]) ? otherTag : tag;
  }

  /** The last change of a thread's tag up to a time, or less than 0. */
  private int changeAt(long threadKey, long at) {
    int thread = threads.get(threadKey);
    if (thread < 0) {
      return LongIntMap.NONE;
    }
    int from = first[thread];
    int found = Arrays.binarySearch(times, from, first[thread + 1], at);
    int change = found >= 0 ? found : -found - 2;
    return change < from ? LongIntMap.NONE : change;
  }
}
