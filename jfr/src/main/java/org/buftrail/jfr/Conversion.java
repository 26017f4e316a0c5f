package org.buftrail.jfr;

import java.util.List;
import org.buftrail.profile.Profiles;

/**
 * What recordings became.
 *
 * @param profiles the profiles, over one dictionary
 * @param stats what was found
 * @param damages what could not be read; empty if all was
 */
public record Conversion(Profiles profiles, Stats stats, List<Damage> damages) {
  /** Makes the list unmodifiable. */
  public Conversion {
    damages = List.copyOf(damages);
  }

  /** Whether parts of the recordings could not be read. */
  public boolean isPartial() {
    return !damages.isEmpty();
  }
}
