package org.buftrail.jfr;

import java.util.ArrayList;
import java.util.List;
import org.buftrail.jfr.kinds.ProfileType;

/** The allocations and frees of each family of events that are paired by their addresses. */
final class Pairings {
  private final List<Family> families = new ArrayList<>();

  /**
   * Events whose addresses are paired.
   *
   * @param live where those go that are left over
   */
  record Family(String name, ProfileType live, Pairing pairing) {}

  /** All that were asked for. */
  List<Family> families() {
    return families;
  }

  /** The pairs of a family, new if nobody has asked for them. */
  Pairing of(ProfileType live, String name) {
    for (Family family : families) {
      if (family.live.equals(live) && family.name.equals(name)) {
        return family.pairing;
      }
    }
    Family family = new Family(name, live, new Pairing());
    families.add(family);
    return family.pairing;
  }

  /** Says that all rows of a chunk are resolved. */
  void endChunk() {
    for (Family family : families) {
      family.pairing.endChunk();
    }
  }

  /** Forgets all addresses. */
  void clear() {
    for (Family family : families) {
      family.pairing.clear();
    }
  }
}
