package org.buftrail.model;

import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Released flows that came to the last hop of a leak by other ways: what they passed is not at
 * fault, and what only the leaked ones passed may be. Not thread-safe.
 */
final class OtherWays {
  /** By memory and type of resource, and by the last hop of a leak. */
  private final Map<String, Map<Site, Passed>> ends = new HashMap<>();

  /** Released flows that passed one hop. */
  static final class Passed {
    final Map<Site, Long> places = new HashMap<>();
    private final Set<Site> sites = new HashSet<>();
    private long released;

    long released() {
      return released;
    }

    private void add(Path path) {
      released += path.released().count();
      Contrast.addPlace(path, places);
      for (Path.Hop hop : path.hops()) {
        sites.add(hop.site());
      }
    }
  }

  OtherWays(Collection<Path> leaks) {
    for (Path leak : leaks) {
      Path.Hop last = last(leak);
      if (!Contrast.isSilent(last)) {
        String memory = Contrast.memory(leak);
        Map<Site, Passed> ofMemory = ends.get(memory);
        if (ofMemory == null) {
          ofMemory = new HashMap<>();
          ends.put(memory, ofMemory);
        }
        ofMemory.put(last.site(), new Passed());
      }
    }
  }

  private static Path.Hop last(Path leak) {
    return leak.hops().get(leak.hops().size() - 1);
  }

  void add(Path released) {
    Map<Site, Passed> ofMemory = ends.get(Contrast.memory(released));
    if (ofMemory == null) {
      return;
    }
    Set<Site> passed = new HashSet<>();
    for (Path.Hop hop : released.hops()) {
      Passed end = ofMemory.get(hop.site());
      if (end != null && passed.add(hop.site())) {
        end.add(released);
      }
    }
  }

  /** Those that came to where a leak ends, or null where there are none. */
  @Nullable Passed to(Path leak) {
    Map<Site, Passed> ofMemory = ends.get(Contrast.memory(leak));
    return ofMemory == null ? null : ofMemory.get(last(leak).site());
  }

  /** The hop nearest to the end of a leak that none of these passed; null where there is none. */
  static @Nullable Site onlyLeaked(Path leak, Passed others) {
    List<Path.Hop> hops = leak.hops();
    for (int i = hops.size() - 2; i > 0; i--) {
      Path.Hop hop = hops.get(i);
      if (!Contrast.isSilent(hop) && !others.sites.contains(hop.site())) {
        return hop.site();
      }
    }
    return null;
  }
}
