package org.buftrail.flow;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.buftrail.flow.Probe.Counts;
import org.buftrail.flow.tree.Sites;
import org.jspecify.annotations.Nullable;

/**
 * What the tracker should say, worked out with lists and one lock.
 *
 * <p>A buffer is moved by one thread at a time, so its path is exact.
 */
final class FlowModel {
  private final int maxDepth;
  private final Map<String, long[]> counts = new HashMap<>();

  FlowModel(int maxDepth) {
    this.maxDepth = maxDepth;
  }

  /** A buffer in the hands of one thread, and where it has been. */
  static final class Held {
    final FakeBuffer buffer;
    final boolean followed;
    boolean kept;

    /** The components of a composite, in order. */
    final List<Held> parts = new ArrayList<>();

    /** The composite that has moved it to where it is itself. */
    @Nullable Held in;

    private final String root;
    private final List<Integer> path = new ArrayList<>();
    private boolean beyond;

    Held(FakeBuffer buffer, String root, boolean followed) {
      this.buffer = buffer;
      this.root = root;
      this.followed = followed;
    }
  }

  void hop(Held held, int site) {
    if (held.kept || held.beyond) {
      return;
    }
    int count = held.buffer.refCnt();
    int key = site << 2 | (count < 3 ? 1 : count < 6 ? 2 : 3);
    int seen = held.path.lastIndexOf(key);
    if (seen >= 0 && !(losesPlace(held.path, seen) && held.path.size() + 1 < maxDepth / 2)) {
      held.path.subList(seen + 1, held.path.size()).clear();
    } else if (held.path.size() + 1 < maxDepth) {
      held.path.add(key);
    } else {
      held.beyond = true;
    }
  }

  /** Whether a place of the application stands behind an index alone. */
  private static boolean losesPlace(List<Integer> path, int index) {
    Set<Integer> before = new HashSet<>(Set.of(Sites.RETAIN));
    path.subList(0, index + 1).forEach(key -> before.add(key >> 2));
    return path.subList(index + 1, path.size()).stream().anyMatch(k -> !before.contains(k >> 2));
  }

  /** A composite takes in a buffer that nobody else holds. */
  void joined(Held composite, Held part) {
    composite.parts.add(part);
    if (composite.followed && !composite.kept && part.followed && !part.kept) {
      part.in = composite;
    }
  }

  void released(Held held) {
    count(held, " release", 0);
  }

  void leaked(Held held) {
    held.parts.forEach(this::leaked);
    if (!held.kept) {
      count(held, "", 1);
    }
  }

  void live(Held held) {
    held.parts.forEach(this::live);
    if (!held.kept) {
      count(held, "", 2);
    }
  }

  private synchronized void count(Held held, String end, int which) {
    if (!held.followed) {
      return;
    }
    Held place = held.in == null ? held : held.in;
    StringBuilder name = new StringBuilder();
    for (int key : place.path) {
      name.append(' ').append(name(key));
    }
    name.append(place.beyond ? " (overflow).beyond" : "").append(end);
    String path = place.root + ' ' + name.toString().trim();
    long[] at = counts.computeIfAbsent(path, p -> new long[4]);
    at[which]++;
    at[3] += held.buffer instanceof FakeComposite ? 0 : held.buffer.capacity();
  }

  private static String name(int key) {
    String site =
        key >> 2 == Sites.RETAIN ? "retain" : Sites.get(key >> 2).hop().replace(".on", "");
    int bucket = key & 3;
    return site + (bucket == 1 ? "" : bucket == 2 ? "[3-5]" : "[6+]");
  }

  synchronized long leaks(String root) {
    return counts.entrySet().stream()
        .filter(e -> e.getKey().startsWith(root))
        .mapToLong(e -> e.getValue()[1])
        .sum();
  }

  synchronized Map<String, Counts> counts(int sampling) {
    Map<String, Counts> result = new TreeMap<>();
    counts.forEach(
        (path, c) ->
            result.put(
                path,
                new Counts(
                    c[0] * sampling, c[1] * sampling, 0, 0, c[2] * sampling, c[3] * sampling)));
    return result;
  }
}
