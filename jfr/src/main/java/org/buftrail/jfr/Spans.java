package org.buftrail.jfr;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.List;

/**
 * Stretches of time of the threads of one chunk, each with a tag. First they are collected, in any
 * order, then arranged, and then asked for: of stretches that overlap, the one that began last
 * counts.
 */
final class Spans {
  private final List<Span> spans = new ArrayList<>();
  private final Deque<Span> open = new ArrayDeque<>();

  // Threads by the order of their keys; where the changes of each begin, and of all, when and to
  // what the tag changes.
  private final LongIntMap threads = new LongIntMap(64);
  private int[] first = new int[16];
  private long[] times = new long[64];
  private long[] tags = new long[64];
  private int changes;

  private record Span(long thread, long start, long end, long tag) {
    /** By thread and start; of those that start at once, the longest is around the others. */
    static int compare(Span a, Span b) {
      int order = Long.compare(a.thread, b.thread);
      order = order != 0 ? order : Long.compare(a.start, b.start);
      return order != 0 ? order : Long.compare(b.end, a.end);
    }
  }

  /** Forgets all. */
  void clear() {
    spans.clear();
    threads.clear();
    changes = 0;
  }

  /** Adds a stretch, unless they have been arranged. */
  void add(long thread, long start, long duration, long tag) {
    if (changes == 0 && thread != 0 && tag != 0) {
      long length = Math.max(0, duration);
      spans.add(
          new Span(
              thread,
              start,
              start > Long.MAX_VALUE - length ? Long.MAX_VALUE : start + length,
              tag));
    }
  }

  /** Makes the stretches ready to be asked for; answers whether there are any. */
  boolean arrange() {
    spans.sort(Span::compare);
    for (Span span : spans) {
      if (threads.get(span.thread) < 0) {
        end(Long.MAX_VALUE);
        int thread = threads.intern(span.thread);
        first = first.length > thread + 1 ? first : Arrays.copyOf(first, thread * 2);
        first[thread] = changes;
      }
      end(span.start);
      change(span.start, span.tag);
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
      change(at, open.isEmpty() ? 0 : open.element().tag);
    }
  }

  private void change(long at, long tag) {
    if (changes > first[threads.size() - 1] && times[changes - 1] == at) {
      tags[changes - 1] = tag;
      return;
    }
    if (changes == times.length) {
      times = Arrays.copyOf(times, changes * 2);
      tags = Arrays.copyOf(tags, changes * 2);
    }
    times[changes] = at;
    tags[changes] = tag;
    changes++;
  }

  /** The tag of a thread at a time, or 0. */
  long tagAt(long threadKey, long at) {
    int thread = threads.get(threadKey);
    if (thread < 0) {
      return 0;
    }
    int from = first[thread];
    int found = Arrays.binarySearch(times, from, first[thread + 1], at);
    int change = found >= 0 ? found : -found - 2;
    return change < from ? 0 : tags[change];
  }
}
