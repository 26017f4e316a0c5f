package org.buftrail.model;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Where flows that leak part from those that came the same way and were released.
 *
 * <p>Paths are compared by their sites, whatever the reference counts. The parting point of a leak
 * is its deepest hop that enough released flows passed too: {@value #LEAST} that were followed, and
 * a hundredth of the leaked ones. Nothing is said where that hop is the allocator, since every use
 * of one passes it; where it is a return or Netty's {@code retain}, behind which all callers meet;
 * nor past a bound of the tracker. Then those count that came to the leak's last hop by other ways,
 * if there is a hop that all leaked ones and none of these passed.
 *
 * <p>Not thread-safe.
 */
public final class Contrast {
  static final long LEAST = 5;
  private static final int LEAST_SHARE = 100;

  /** By memory and type of resource: one allocator's flows of other memory are others. */
  private final Map<String, Node> tops = new HashMap<>();

  private final int sampling;

  private final OtherWays otherWays;

  /** A hop of a leaking path, after the hops above. */
  private static final class Node {
    final Map<Site, Node> children = new HashMap<>();

    /** Released flows whose way is that of a leak as far as here and no further. */
    final List<Path> parted = new ArrayList<>();

    /** Released flows that passed here. */
    long released;

    @Nullable Map<Site, Long> places;
  }

  /** Flows that came as far as a leak's hop and were released. Immutable. */
  public static final class Parting {
    private final Site site;
    private final boolean isLast;
    private final long released;
    private final @Nullable Site place;
    private final long placed;
    private final @Nullable Site onlyLeaked;

    private Parting(
        Site site,
        boolean isLast,
        long released,
        Map<Site, Long> places,
        @Nullable Site onlyLeaked) {
      Site place = null;
      long most = 0;
      for (Map.Entry<Site, Long> each : places.entrySet()) {
        long here = each.getValue();
        if (place == null || here > most || (here == most && isBefore(each.getKey(), place))) {
          place = each.getKey();
          most = here;
        }
      }
      this.site = site;
      this.isLast = isLast;
      this.released = released;
      this.place = place;
      this.placed = most;
      this.onlyLeaked = onlyLeaked;
    }

    /** The last hop that both have in common. */
    public Site site() {
      return site;
    }

    /**
     * The hop that all leaked and none of the released ones passed, where these came by other ways;
     * null where they came the same way.
     */
    public @Nullable Site onlyLeaked() {
      return onlyLeaked;
    }

    /** Whether that is where the leaked ones were last seen. */
    public boolean isLast() {
      return isLast;
    }

    /** How many came there and were released, scaled by sampling. */
    public long released() {
      return released;
    }

    /** Where most of these were last seen before their release; null where that is no own hop. */
    public @Nullable Site place() {
      return place;
    }

    /** How many were last seen there, scaled by sampling. */
    public long placed() {
      return placed;
    }
  }

  /**
   * @param leaks the paths to be asked for
   * @param all paths of the snapshot
   * @param sampling N where 1 in N allocations was followed; 1 for all
   */
  public Contrast(Collection<Path> leaks, Collection<Path> all, int sampling) {
    this.sampling = sampling;
    this.otherWays = new OtherWays(leaks);
    for (Path leak : leaks) {
      add(leak);
    }
    if (!tops.isEmpty()) {
      for (Path path : all) {
        if (path.released().count() > 0) {
          follow(path);
          otherWays.add(path);
        }
      }
    }
  }

  static String memory(Path path) {
    String resource = path.resource();
    return resource != null ? resource : path.isDirect() ? "direct" : "heap";
  }

  /** Hops of one site in a row, which differ in their reference counts alone, are one. */
  private static List<Path.Hop> places(Path path) {
    List<Path.Hop> places = new ArrayList<>(path.hops().size());
    Site last = null;
    for (Path.Hop hop : path.hops()) {
      if (last == null || !hop.site().equals(last)) {
        places.add(hop);
      }
      last = hop.site();
    }
    return places;
  }

  private void add(Path leak) {
    Node at = tops.get(memory(leak));
    if (at == null) {
      at = new Node();
      tops.put(memory(leak), at);
    }
    for (Path.Hop hop : places(leak)) {
      Node next = at.children.get(hop.site());
      if (next == null) {
        next = new Node();
        at.children.put(hop.site(), next);
      }
      at = next;
    }
  }

  private void follow(Path released) {
    Node at = tops.get(memory(released));
    if (at == null) {
      return;
    }
    for (Path.Hop hop : places(released)) {
      Node next = at.children.get(hop.site());
      if (next == null) {
        break;
      }
      at = next;
      at.released += released.released().count();
    }
    at.parted.add(released);
  }

  /**
   * Returns where released flows parted from a leak's, or met them; null where too few did, or
   * where that says nothing.
   *
   * @param leak one of those that were named
   * @param count how many leaked, scaled by sampling
   */
  public @Nullable Parting of(Path leak, long count) {
    long least = Math.max(LEAST * sampling, count / LEAST_SHARE);
    List<Path.Hop> hops = places(leak);
    Node at = tops.get(memory(leak));
    Node found = null;
    int depth = -1;
    for (int i = 0; at != null && i < hops.size(); i++) {
      at = at.children.get(hops.get(i).site());
      if (at == null || at.released < least) {
        break;
      }
      found = at;
      depth = i;
    }
    if (found == null || depth == 0 || isSilent(hops.get(depth))) {
      return byOtherWays(leak, least);
    }
    Site site = hops.get(depth).site();
    return new Parting(site, depth == hops.size() - 1, found.released, releasedIn(found), null);
  }

  private @Nullable Parting byOtherWays(Path leak, long least) {
    OtherWays.Passed others = otherWays.to(leak);
    if (others == null || others.released() < least) {
      return null;
    }
    Site only = OtherWays.onlyLeaked(leak, others);
    Site last = leak.hops().get(leak.hops().size() - 1).site();
    return only == null ? null : new Parting(last, true, others.released(), others.places, only);
  }

  static boolean isSilent(Path.Hop hop) {
    return hop.isOverflow()
        || hop.site().method().endsWith(Site.RETURN_SUFFIX)
        || hop.site().isRetain();
  }

  /** So that equal snapshots give equal text. */
  private static boolean isBefore(Site one, Site other) {
    return one.toString().compareTo(other.toString()) < 0;
  }

  private static Map<Site, Long> releasedIn(Node node) {
    Map<Site, Long> places = node.places;
    if (places == null) {
      places = new HashMap<>();
      Deque<Node> left = new ArrayDeque<>();
      left.add(node);
      for (Node next = left.poll(); next != null; next = left.poll()) {
        left.addAll(next.children.values());
        for (Path path : next.parted) {
          addPlace(path, places);
        }
      }
      node.places = places;
    }
    return places;
  }

  /** The last hop is the release itself, the one before it what had the buffer last. */
  static void addPlace(Path path, Map<Site, Long> places) {
    List<Path.Hop> hops = path.hops();
    Path.Hop before = hops.size() < 2 ? null : hops.get(hops.size() - 2);
    if (before != null && !before.isOverflow() && !before.site().isRetain()) {
      Long known = places.get(before.site());
      places.put(before.site(), (known == null ? 0 : known) + path.released().count());
    }
  }
}
