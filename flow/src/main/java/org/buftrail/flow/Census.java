package org.buftrail.flow;

import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** All counts at one moment, by node. Confined to the thread that takes a snapshot. */
final class Census {
  final Counters released = new Counters();
  final Leaks leaks = new Leaks();
  long allocated;

  private final Map<Integer, Ages> live = new HashMap<>();

  /** The live flows at one node. */
  static final class Ages {
    long bytes;
    private long[] millis = new long[4];
    private int count;

    private void add(long capacity, long age) {
      bytes += capacity;
      if (count == millis.length) {
        millis = Arrays.copyOf(millis, count * 2);
      }
      millis[count++] = age;
    }

    int count() {
      return count;
    }

    long oldestMillis() {
      return Arrays.stream(millis, 0, count).max().orElse(Path.NO_AGE);
    }

    long medianMillis() {
      long[] sorted = Arrays.copyOf(millis, count);
      Arrays.sort(sorted);
      return sorted[count / 2];
    }
  }

  /** A flow that is under way; one that is kept is nobody's, as if it had never begun. */
  void live(Elder elder, long capacity, long ageMillis) {
    if (elder.kept) {
      allocated--;
    } else {
      live.computeIfAbsent(elder.node.id, id -> new Ages()).add(capacity, ageMillis);
    }
  }

  @Nullable Ages liveAt(int node) {
    return live.get(node);
  }
}
