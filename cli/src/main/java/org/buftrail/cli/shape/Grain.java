package org.buftrail.cli.shape;

import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.List;
import org.buftrail.profile.Observations;
import org.buftrail.profile.Profile;
import org.buftrail.profile.Profiles;
import org.buftrail.profile.Samples;

/**
 * Makes profiles coarser: values become multiples of a grain, and samples that are left with
 * nothing go. What one sample loses the next may get, so sums stay right to one grain.
 */
public final class Grain {
  private final double grain;
  private double carried;

  private Grain(double grain) {
    this.grain = grain;
  }

  /**
   * Those profiles of which something is left, over the same dictionary.
   *
   * @param grain in the unit of each profile; of profiles that are counted and measured, in counts
   * @throws NothingLeft if no profile is
   */
  public static Profiles apply(Profiles all, double grain) throws NothingLeft {
    IdentityHashMap<Samples, Samples> copies = new IdentityHashMap<>();
    List<Profile> kept = new ArrayList<>();
    for (Profile profile : all.profiles()) {
      Samples samples =
          copies.computeIfAbsent(profile.samples(), from -> new Grain(grain).copy(from));
      if (!samples.isEmpty()) {
        kept.add(profile.with(samples));
      }
    }
    if (kept.isEmpty()) {
      throw new NothingLeft("all together is less than a grain of " + grain);
    }
    return all.with(kept);
  }

  private Samples copy(Samples from) {
    boolean two = from.columns() == 2;
    if (!from.isObserved()) {
      Samples to = Samples.summed(from.columns());
      for (int sample = 0; sample < from.size(); sample++) {
        add(from, sample, 0, from.sum(sample, 0), two ? from.sum(sample, 1) : 0, to);
      }
      return to;
    }
    Samples to = Samples.observed(from.columns());
    Observations each = from.observations();
    for (int sample = 0; sample < from.size(); sample++) {
      for (int i = 0; i < each.count(sample); i++) {
        long second = two ? each.value(sample, i, 1) : 0;
        add(from, sample, each.time(sample, i), each.value(sample, i, 0), second, to);
      }
    }
    return to;
  }

  private void add(Samples from, int sample, long time, long first, long second, Samples to) {
    long coarse = coarse(first);
    if (coarse != 0) {
      // The measured value goes along with the count.
      long scaled = first == 0 ? second : Math.round((double) second / first * coarse);
      Selected.add(from, sample, time, coarse, scaled, to);
    }
  }

  private long coarse(long value) {
    double grains = value / grain;
    double whole = Math.floor(grains);
    carried += grains - whole;
    if (carried >= 1) {
      carried--;
      whole++;
    }
    return Math.round(whole * grain);
  }
}
