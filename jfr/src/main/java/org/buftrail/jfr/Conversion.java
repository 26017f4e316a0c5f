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
 * @param notes what else is worth knowing, such as constants that the JVM did not write; a sentence
 *     each
 * @param unmet events asked for by name of which no profile can be made, since no recording has
 *     such an event or such a number in it, each with the reason
 */
public record Conversion(
    Profiles profiles,
    Stats stats,
    List<Damage> damages,
    List<String> notes,
    Map<Options.Event, String> unmet) {
  /** Makes the lists and the map unmodifiable. */
  public Conversion {
    damages = List.copyOf(damages);
    notes = List.copyOf(notes);
    unmet = Collections.unmodifiableMap(new LinkedHashMap<>(unmet));
  }

  /** Whether parts of the recordings could not be read. */
  public boolean isPartial() {
    return !damages.isEmpty();
  }
}
