package org.buftrail.report;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.buftrail.model.LeakPaths;
import org.buftrail.model.Misuse;
import org.buftrail.model.Path;
import org.buftrail.model.Site;
import org.buftrail.model.Snapshot;

/** The one order of paths in every output: worst first, the rest decided by the hops alone. */
final class PathOrder implements Comparator<Path> {
  private static final PathOrder WORST_FIRST = new PathOrder();

  private PathOrder() {}

  /** The paths by leaked bytes, then live bytes, both descending, then by their hops. */
  static List<Path> sorted(Snapshot snapshot) {
    List<Path> paths = new ArrayList<>(snapshot.paths());
    paths.sort(WORST_FIRST);
    return paths;
  }

  /** The leaks on {@code paths}, as people count them, in the same order. */
  static List<Path> leaks(List<Path> paths) {
    List<Path> leaks = LeakPaths.of(paths);
    leaks.sort(WORST_FIRST);
    return leaks;
  }

  /** The misuses by count, descending, then by site, kind and path. */
  static List<Misuse> misuses(Snapshot snapshot) {
    List<Misuse> misuses = new ArrayList<>(snapshot.misuses());
    if (misuses.size() > 1) {
      misuses.sort(PathOrder::compareMisuses);
    }
    return misuses;
  }

  private static int compareMisuses(Misuse a, Misuse b) {
    int order = Long.compare(b.count(), a.count());
    if (order == 0) {
      order = compareSites(a.site(), b.site());
    }
    if (order == 0) {
      order = a.kind().compareTo(b.kind());
    }
    return order != 0 ? order : compareHops(a.hops(), b.hops());
  }

  @Override
  public int compare(Path a, Path b) {
    int order = Long.compare(b.leaked().bytes(), a.leaked().bytes());
    if (order == 0) {
      order = Long.compare(b.live().bytes(), a.live().bytes());
    }
    if (order == 0) {
      order = compareHops(a.hops(), b.hops());
    }
    if (order == 0) {
      order = Boolean.compare(b.isDirect(), a.isDirect());
    }
    return order != 0 ? order : Long.compare(b.released().count(), a.released().count());
  }

  @SuppressWarnings("ReferenceEquality")
  private static int compareHops(List<Path.Hop> a, List<Path.Hop> b) {
    int common = Math.min(a.size(), b.size());
    for (int i = 0; i < common; i++) {
      Path.Hop left = a.get(i);
      Path.Hop right = b.get(i);
      if (left == right) {
        continue; // Most hops of a snapshot are one object on all paths.
      }
      int order = compareSites(left.site(), right.site());
      if (order == 0) {
        order = left.refs().compareTo(right.refs());
      }
      if (order != 0) {
        return order;
      }
    }
    return Integer.compare(a.size(), b.size());
  }

  /** Names are made only for sites that differ: sorted neighbours share most of their hops. */
  static int compareSites(Site a, Site b) {
    if (a.equals(b)) {
      return 0;
    }
    int order = a.hop().compareTo(b.hop());
    if (order == 0) {
      order = a.className().compareTo(b.className());
    }
    return order != 0 ? order : Integer.compare(a.line(), b.line());
  }
}
