package org.buftrail.jfr;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.buftrail.profile.Profiles;

/**
 * What recordings became.
 *
 * @param profiles the profiles, over one dictionary
 * @param stats what was found
 * @param damages what could not be read; empty if all was
 * @param unmet events asked for by name of which no profile can be made, since no recording has
 *     such an event or such a number in it, each with the reason
 */
public record Conversion(
    Profiles profiles, Stats stats, List<Damage> damages, Map<Options.Event, String> unmet) {
  /** Makes the list and the map unmodifiable. */
  public Conversion {
    damages = List.copyOf(damages);
    unmet = Collections.unmodifiableMap(new LinkedHashMap<>(unmet));
  }

  /** Whether parts of the recordings could not be read. */
  public boolean isPartial() {
    return !damages.isEmpty();
  }
}
