package org.buftrail.model;

import java.util.List;

/**
 * What makes a path of one snapshot the same as a path of another: memory, sites and
 * reference-count buckets. Whether flows came back to a hop may change and is left out. Immutable.
 */
public final class PathKey {
  private final boolean direct;
  private final List<Path.Hop> hops;
  private final int hash;

  public PathKey(Path path) {
    this(path.isDirect(), path.hops());
  }

  PathKey(boolean direct, List<Path.Hop> hops) {
    this.direct = direct;
    this.hops = hops;
    int h = direct ? 1 : 0;
    for (Path.Hop hop : hops) {
      h = (h * 31 + hop.site().hashCode()) * 31 + hop.refs().hashCode();
    }
    this.hash = h;
  }

  @Override
  public boolean equals(Object o) {
    if (!(o instanceof PathKey)) {
      return false;
    }
    PathKey other = (PathKey) o;
    if (hash != other.hash || direct != other.direct || hops.size() != other.hops.size()) {
      return false;
    }
    for (int i = hops.size() - 1; i >= 0; i--) {
      if (!isSame(hops.get(i), other.hops.get(i))) {
        return false;
      }
    }
    return true;
  }

  private static boolean isSame(Path.Hop a, Path.Hop b) {
    return a == b
        || (a.site().equals(b.site())
            && a.refs().equals(b.refs())
            && a.isOverflow() == b.isOverflow());
  }

  @Override
  public int hashCode() {
    return hash;
  }
}
