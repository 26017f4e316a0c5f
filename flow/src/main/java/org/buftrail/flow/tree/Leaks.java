package org.buftrail.flow.tree;

import java.util.HashMap;
import java.util.Map;
import org.buftrail.model.Evidence;
import org.buftrail.model.Path;
import org.jspecify.annotations.Nullable;

/**
 * Flows that were collected with a count above 0, by node: how many, how many bytes, and when the
 * first and the last of them were found.
 *
 * <p>Written when a leak is found, never by application threads. Guarded by the nursery's monitor.
 * Some 100 bytes for each node where flows leaked.
 */
public final class Leaks {
  public final Counters counters = new Counters();

  /** First and last, in milliseconds since the epoch. */
  private final Map<Integer, long[]> found = new HashMap<>();

  /** What looks at the stack saw of some of these. */
  private final SightingsByNode seen = new SightingsByNode();

  public void add(Node node, long bytes) {
    seen.add(node, 1);
    counters.add(node.id, 1, bytes);
    long now = System.currentTimeMillis();
    long[] times = found.get(node.id);
    if (times == null) {
      found.put(node.id, new long[] {now, now});
    } else {
      times[1] = now;
    }
  }

  /** Bytes of what leaked flows held here. */
  public void addBytes(Node node, long bytes) {
    counters.add(node.id, 0, bytes);
  }

  /** A leak that was found here belongs to another path. */
  public void take(Node node, long bytes) {
    seen.add(node, -1);
    counters.add(node.id, -1, -bytes);
    if (counters.count(node.id) == 0) {
      found.remove(node.id);
    }
  }

  /** Adds all of {@code other}, which must not change meanwhile. */
  public void addAll(Leaks other) {
    counters.addAll(other.counters);
    for (Map.Entry<Integer, long[]> e : other.found.entrySet()) {
      found.put(e.getKey(), e.getValue().clone());
    }
    seen.addAll(other.seen);
  }

  /** Over all nodes. */
  public long flows() {
    return counters.flows();
  }

  /** What looks at the stack saw of the flows at a node, or null. */
  public @Nullable Evidence evidence(Node node) {
    return seen.evidence(node);
  }

  public long firstSeenMillis(Node node) {
    long[] times = found.get(node.id);
    return times == null ? Path.NEVER : times[0];
  }

  public long lastSeenMillis(Node node) {
    long[] times = found.get(node.id);
    return times == null ? Path.NEVER : times[1];
  }
}
