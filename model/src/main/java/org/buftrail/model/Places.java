package org.buftrail.model;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The places of paths as numbers, the same for equal places. Used by one thread. */
abstract class Places {
  /** The number of no place. */
  static final int NOWHERE = -1;

  /** The places of these paths. Counted ones have numbers for them already, and no hops yet. */
  static Places of(List<Path> paths) {
    return paths instanceof CountedPaths ? new Counted((CountedPaths) paths) : new Listed(paths);
  }

  /** How many hops a path has. */
  abstract int depth(int index);

  /** Writes the place of each hop of a path, root first. */
  abstract void fill(int index, int[] into);

  abstract int number(Site site);

  abstract @Nullable Site site(int number);

  final int[] numbers(Path path) {
    List<Path.Hop> hops = path.hops();
    int[] numbers = new int[hops.size()];
    fill(hops, numbers);
    return numbers;
  }

  final void fill(List<Path.Hop> hops, int[] into) {
    int i = 0;
    for (Path.Hop hop : hops) {
      into[i++] = number(hop.site());
    }
  }

  private static final class Counted extends Places {
    private final CountedPaths paths;

    Counted(CountedPaths paths) {
      this.paths = paths;
    }

    @Override
    int depth(int index) {
      return paths.depth(index);
    }

    @Override
    void fill(int index, int[] into) {
      paths.fill(index, into);
    }

    @Override
    int number(Site site) {
      return paths.number(site);
    }

    @Override
    @Nullable Site site(int number) {
      return number == NOWHERE ? null : paths.site(number);
    }
  }

  /** Paths that were read from a file, or that count from another moment on. */
  private static final class Listed extends Places {
    private final List<Path> paths;
    private final Map<Site, Integer> numbers = new HashMap<>();
    private final List<Site> sites = new ArrayList<>();

    Listed(List<Path> paths) {
      this.paths = paths;
    }

    @Override
    int depth(int index) {
      return paths.get(index).hops().size();
    }

    @Override
    void fill(int index, int[] into) {
      fill(paths.get(index).hops(), into);
    }

    @Override
    int number(Site site) {
      Integer known = numbers.get(site);
      if (known != null) {
        return known;
      }
      numbers.put(site, sites.size());
      sites.add(site);
      return sites.size() - 1;
    }

    @Override
    @Nullable Site site(int number) {
      return number == NOWHERE ? null : sites.get(number);
    }
  }
}
