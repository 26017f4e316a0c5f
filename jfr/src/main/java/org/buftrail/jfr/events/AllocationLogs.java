package org.buftrail.jfr.events;

import java.util.ArrayList;
import java.util.List;
import org.buftrail.jfr.kinds.ProfileType;

/** The allocations and frees of a chunk, of each family of events that are paired by address. */
public final class AllocationLogs {
  private final List<Family> families = new ArrayList<>();

  /**
   * Events whose addresses are paired.
   *
   * @param live where those go that are left over
   */
  public record Family(String name, ProfileType live, AllocationLog log) {}

  /** All that were asked for, in this chunk or one before. */
  public List<Family> families() {
    return families;
  }

  /** The log of a family, new if nobody has asked for it. */
  public AllocationLog of(ProfileType live, String name) {
    for (Family family : families) {
      if (family.live.equals(live) && family.name.equals(name)) {
        return family.log;
      }
    }
    Family family = new Family(name, live, new AllocationLog());
    families.add(family);
    return family.log;
  }

  /** Says that all events of the chunk have been read. */
  public void finish() {
    for (Family family : families) {
      family.log.finish();
    }
  }

  /** Forgets all addresses. */
  public void clear() {
    for (Family family : families) {
      family.log.clear();
    }
  }
}
