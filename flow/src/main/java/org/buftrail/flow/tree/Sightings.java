package org.buftrail.flow.tree;

import java.util.HashMap;
import java.util.Map;
import org.buftrail.flow.base.CallPlace;
import org.buftrail.model.Evidence;
import org.buftrail.model.Evidence.Kind;
import org.jspecify.annotations.Nullable;

/** Counts what looks saw of the flows of one path. Bounded; not thread-safe. */
public final class Sightings {
  /** Different ones that are kept. All others are counted as looks that saw nothing. */
  private static final int MAX = 32;

  private static final Sighting NOTHING = new Sighting(0, null, null, null, null, null);

  private final Map<Sighting, Integer> counts = new HashMap<>();

  /** Adds a number of flows, or takes them back when it is negative. */
  public void add(Sighting sighting, int flows) {
    Sighting key = counts.size() < MAX || counts.containsKey(sighting) ? sighting : NOTHING;
    Integer before = counts.get(key);
    int now = (before == null ? 0 : before) + flows;
    if (now > 0) {
      counts.put(key, now);
    } else {
      counts.remove(key);
    }
  }

  public void addAll(Sightings other) {
    for (Map.Entry<Sighting, Integer> each : other.counts.entrySet()) {
      add(each.getKey(), each.getValue());
    }
  }

  /** For reports; null where there is none. */
  public @Nullable Evidence evidence() {
    Evidence.Builder evidence = new Evidence.Builder();
    for (Map.Entry<Sighting, Integer> each : counts.entrySet()) {
      int looks = each.getValue();
      Sighting seen = each.getKey();
      evidence.looks(looks);
      evidence.add(Kind.ASKED_FOR, place(seen.asked, looks));
      evidence.add(Kind.RETAINED, place(seen.retained, looks));
      evidence.add(Kind.HANDED, place(seen.handed, looks));
      evidence.add(Kind.RELEASED, place(seen.released, looks));
      evidence.add(Kind.MESSAGE, place(seen.message, looks));
    }
    return evidence.build();
  }

  /** The messages that had the flows, for reports; null where none was seen. */
  @Nullable Evidence messages() {
    Evidence.Builder evidence = new Evidence.Builder();
    boolean any = false;
    for (Map.Entry<Sighting, Integer> each : counts.entrySet()) {
      Sighting seen = each.getKey();
      evidence.looks(each.getValue());
      evidence.add(Kind.MESSAGE, place(seen.message, each.getValue()));
      any |= seen.message != null;
    }
    return any ? evidence.build() : null;
  }

  private static Evidence.@Nullable Place place(@Nullable CallPlace at, int looks) {
    return at == null ? null : new Evidence.Place(at.own, at.library, at.callers, looks);
  }
}
