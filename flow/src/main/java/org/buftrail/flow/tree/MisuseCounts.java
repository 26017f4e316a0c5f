package org.buftrail.flow.tree;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.buftrail.model.Misuse;
import org.buftrail.model.Site;
import org.buftrail.model.Unique;
import org.jspecify.annotations.Nullable;

/**
 * How often which misuse was seen. Bounded: past that only those known are counted. Thread-safe.
 */
public final class MisuseCounts {
  /** Ends of earlier lives that are distinguished at one place. */
  private static final int MAX_EARLIER = 16;

  public static final StackTraceElement[] NO_STACK = {};

  private final Map<Key, Count> counts = new HashMap<>();
  private final int max;

  /** A kind of misuse, its place, and the end of the release that came first. Immutable. */
  public static final class Key {
    final Node end;
    final Misuse.Kind kind;
    final Site site;

    public Key(Node end, Misuse.Kind kind, Site site) {
      this.end = end;
      this.kind = kind;
      this.site = site;
    }

    /** Whether both are of buffers that were released at the same place. */
    public boolean isOfSameEnd(Key other) {
      return end == other.end;
    }

    @Override
    public boolean equals(Object o) {
      return o instanceof Key
          && ((Key) o).end == end
          && ((Key) o).kind == kind
          && ((Key) o).site.equals(site);
    }

    @Override
    public int hashCode() {
      return Objects.hash(end.id, kind, site);
    }
  }

  private static final class Count {
    long times;

    /** The stack of one of the misuses counted; empty if no exception was thrown. */
    StackTraceElement[] stack = NO_STACK;

    /** What looks at the stack saw of those misused. */
    final Sightings seen = new Sightings();

    /** Where the objects' lives before ended, and how often each. */
    final Map<Node, Integer> earlier = new HashMap<>();

    void addEarlier(Node end) {
      if (earlier.size() < MAX_EARLIER || earlier.containsKey(end)) {
        earlier.put(end, earlier.getOrDefault(end, 0) + 1);
      }
    }

    /** The hops that all have in common are the cause; those that differ came by chance. */
    @Nullable Node mostFrequentEarlier() {
      Node best = null;
      int times = 0;
      for (Map.Entry<Node, Integer> e : earlier.entrySet()) {
        if (e.getValue() > times) {
          best = e.getKey();
          times = e.getValue();
        }
      }
      return best;
    }
  }

  /**
   * @param max the most different misuses that are kept
   */
  public MisuseCounts(int max) {
    this.max = max;
  }

  /**
   * @param seen what looks at the stack saw of the buffer; null where there was none
   * @param stack of the exception, if one was thrown and is to be kept
   */
  public synchronized void add(
      Key key, @Nullable Node earlier, @Nullable Sighting seen, StackTraceElement[] stack) {
    Count count = counts.get(key);
    if (count == null && counts.size() < max) {
      count = new Count();
      counts.put(key, count);
    }
    if (count != null) {
      if (count.times++ == 0) {
        count.stack = stack;
      }
      if (earlier != null) {
        count.addEarlier(earlier);
      }
      if (seen != null) {
        count.seen.add(seen, 1);
      }
    }
  }

  /** Takes back one that was added. */
  public synchronized void remove(Key key) {
    Count count = counts.get(key);
    if (count != null && count.times > 0) {
      count.times--;
    }
  }

  /** All of them. Ends that differ in the kind of memory alone are one: a misuse has none. */
  public synchronized List<Misuse> list() {
    List<Misuse> list = new ArrayList<>();
    for (Map.Entry<Key, Count> e : counts.entrySet()) {
      Key key = e.getKey();
      if (e.getValue().times == 0) {
        continue;
      }
      Node earlier = e.getValue().mostFrequentEarlier();
      list.add(
          new Misuse(
                  key.kind,
                  key.site,
                  e.getValue().times,
                  NodeHops.upTo(key.end),
                  earlier == null ? List.of() : NodeHops.upTo(earlier),
                  List.of(e.getValue().stack))
              .with(e.getValue().seen.evidence()));
    }
    return Unique.misuses(list);
  }
}
