package org.buftrail.model;

import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Leaks as people count them: paths that differ in their reference counts alone are one.
 *
 * <p>A path of the trie says how often a buffer was counted at each hop. One mistake leaks buffers
 * that were counted differently, and a loop of {@code retain()} leaves one hop for each bucket. So
 * hops of the same site in a row are one here, and says all the buckets seen there: {@code 1-2,
 * 3-5}. All figures are of the paths together.
 */
public final class LeakPaths {
  private LeakPaths() {}

  /**
   * What paths that count as one leak have in common; equal for equal places and kinds of memory.
   */
  public static Object key(Path path) {
    List<Object> key = new ArrayList<>();
    key.add(path.isDirect());
    Object last = null;
    for (Path.Hop hop : path.hops()) {
      Object place = place(hop);
      if (!place.equals(last)) {
        key.add(place);
      }
      last = place;
    }
    return key;
  }

  private static Object place(Path.Hop hop) {
    return hop.isOverflow() ? List.of(hop.site()) : hop.site();
  }

  /** The leaks among {@code paths}, in the order of the first path of each. */
  public static List<Path> of(Collection<Path> paths) {
    Map<Object, List<Path>> groups = new LinkedHashMap<>();
    for (Path path : paths) {
      if (path.leaked().count() > 0) {
        Object key = key(path);
        List<Path> group = groups.get(key);
        if (group == null) {
          group = new ArrayList<>();
          groups.put(key, group);
        }
        group.add(path);
      }
    }
    List<Path> leaks = new ArrayList<>();
    for (List<Path> group : groups.values()) {
      leaks.add(together(group));
    }
    return leaks;
  }

  private static Path together(List<Path> group) {
    Path first = group.get(0);
    long[] sums = new long[10];
    long oldest = Path.NO_AGE;
    long median = first.medianMillis();
    long firstSeen = Path.NEVER;
    long lastSeen = Path.NEVER;
    Evidence.Builder evidence = new Evidence.Builder();
    Evidence.Builder live = new Evidence.Builder();
    for (Path path : group) {
      evidence.addAll(path.evidence());
      live.addAll(path.liveEvidence());
      add(sums, 0, path.released());
      add(sums, 2, path.leaked());
      add(sums, 4, path.live());
      add(sums, 6, path.dropped());
      sums[8] += path.held();
      sums[9] += path.liveParts();
      oldest = Math.max(oldest, path.oldestMillis());
      if (path.firstSeenMillis() != Path.NEVER) {
        firstSeen =
            firstSeen == Path.NEVER
                ? path.firstSeenMillis()
                : Math.min(firstSeen, path.firstSeenMillis());
      }
      lastSeen = Math.max(lastSeen, path.lastSeenMillis());
    }
    return new Path(
            hops(group),
            first.isDirect(),
            new Path.Flows(sums[0], sums[1]),
            new Path.Flows(sums[2], sums[3]),
            new Path.Flows(sums[4], sums[5]),
            oldest,
            group.size() == 1 ? median : Path.NO_AGE,
            firstSeen,
            lastSeen)
        .with(new Path.Flows(sums[6], sums[7]), sums[8])
        .with(evidence.build())
        .withLive(sums[9], live.build());
  }

  private static void add(long[] sums, int at, Path.Flows flows) {
    sums[at] += flows.count();
    sums[at + 1] += flows.bytes();
  }

  private static List<Path.Hop> hops(List<Path> group) {
    List<Path.Hop> shown = new ArrayList<>();
    List<Set<String>> refs = new ArrayList<>();
    List<Boolean> loops = new ArrayList<>();
    for (Path path : group) {
      int at = -1;
      Object last = null;
      for (Path.Hop hop : path.hops()) {
        Object place = place(hop);
        boolean again = place.equals(last);
        last = place;
        at += again ? 0 : 1;
        if (at == shown.size()) {
          shown.add(hop);
          refs.add(new LinkedHashSet<>());
          loops.add(false);
        }
        refs.get(at).add(hop.refs());
        loops.set(at, loops.get(at) || hop.isLoop() || again);
      }
    }
    List<Path.Hop> hops = new ArrayList<>();
    for (int i = 0; i < shown.size(); i++) {
      Path.Hop hop = shown.get(i);
      List<String> sorted = new ArrayList<>(refs.get(i));
      sorted.sort(null);
      hops.add(new Path.Hop(hop.site(), String.join(", ", sorted), loops.get(i), hop.isOverflow()));
    }
    return hops;
  }
}
