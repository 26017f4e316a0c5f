package org.buftrail.cli.shape;

import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.List;
import org.buftrail.profile.Observations;
import org.buftrail.profile.Profile;
import org.buftrail.profile.Profiles;
import org.buftrail.profile.Samples;

/** Copies of profiles with some of their samples, over the same dictionary. */
final class Selected {
  private final SampleTest test;
  private final boolean timestamps;

  /** Samples by those that they were taken from, which two profiles may share. */
  private final IdentityHashMap<Samples, Samples> copies = new IdentityHashMap<>();

  private Selected(SampleTest test, boolean timestamps) {
    this.test = test;
    this.timestamps = timestamps;
  }

  /**
   * Those profiles of which something is left.
   *
   * @param timestamps whether to keep the times of observations
   */
  static Profiles of(Profiles all, SampleTest test, boolean timestamps) {
    Selected selected = new Selected(test, timestamps);
    List<Profile> kept = new ArrayList<>();
    for (Profile profile : all.profiles()) {
      if (test.keeps(profile)) {
        Samples samples = selected.copies.get(profile.samples());
        if (samples == null) {
          samples = selected.copy(profile);
          selected.copies.put(profile.samples(), samples);
        }
        if (!samples.isEmpty()) {
          kept.add(profile.with(samples));
        }
      }
    }
    return all.with(kept);
  }

  private Samples copy(Profile profile) {
    Samples from = profile.samples();
    if (!from.isObserved()) {
      return copySums(profile, Samples.summed(from.columns()));
    }
    Samples to = timestamps ? Samples.observed(from.columns()) : Samples.summed(from.columns());
    Observations observations = from.observations();
    for (int sample = 0; sample < from.size(); sample++) {
      for (int i = 0; i < observations.count(sample); i++) {
        long time = observations.time(sample, i);
        if (test.keeps(profile, sample, time)) {
          long first = observations.value(sample, i, 0);
          long second = from.columns() == 1 ? 0 : observations.value(sample, i, 1);
          add(from, sample, time, first, second, to);
        }
      }
    }
    return to;
  }

  private Samples copySums(Profile profile, Samples to) {
    Samples from = profile.samples();
    for (int sample = 0; sample < from.size(); sample++) {
      if (test.keeps(profile, sample, 0)) {
        long second = from.columns() == 1 ? 0 : from.sum(sample, 1);
        add(from, sample, 0, from.sum(sample, 0), second, to);
      }
    }
    return to;
  }

  static void add(Samples from, int sample, long time, long first, long second, Samples to) {
    int stack = from.stack(sample);
    int attributes = from.attributeSet(sample);
    int link = from.link(sample);
    if (to.isObserved()) {
      if (to.columns() == 1) {
        to.observe(stack, attributes, link, time, first);
      } else {
        to.observe(stack, attributes, link, time, first, second);
      }
    } else if (to.columns() == 1) {
      to.add(stack, attributes, link, first);
    } else {
      to.add(stack, attributes, link, first, second);
    }
  }
}
