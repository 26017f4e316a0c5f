package org.buftrail.profile.diff;

import org.buftrail.profile.Observations;
import org.buftrail.profile.Profile;

/**
 * The values of one side of a measure in parts of its time. Events that come in bursts vary more
 * from run to run than their number says: how much more, the parts show. Belongs to one thread.
 */
final class Slices {
  private static final int PARTS = 16;

  private final double[] parts = new double[PARTS];

  /** Adds the observations of a profile that keeps their times. */
  void add(Profile profile) {
    Observations observations = profile.samples().observations();
    double width = Math.max(1, profile.duration() / (double) PARTS);
    for (int sample = 0; sample < profile.samples().size(); sample++) {
      for (int i = 0; i < observations.count(sample); i++) {
        int part = (int) ((observations.time(sample, i) - profile.time()) / width);
        parts[Math.max(0, Math.min(PARTS - 1, part))] +=
            observations.value(sample, i, profile.column());
      }
    }
  }

  /** The variance of the sum of all parts. */
  double variance() {
    double sum = 0;
    for (double part : parts) {
      sum += part;
    }
    double squares = 0;
    for (double part : parts) {
      squares += (part - sum / PARTS) * (part - sum / PARTS);
    }
    return squares / (PARTS - 1) * PARTS;
  }
}
