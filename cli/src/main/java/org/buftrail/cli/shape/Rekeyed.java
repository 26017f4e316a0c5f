package org.buftrail.cli.shape;

import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.function.IntUnaryOperator;
import org.buftrail.profile.Observations;
import org.buftrail.profile.Profile;
import org.buftrail.profile.Profiles;
import org.buftrail.profile.Samples;

/**
 * Copies of profiles with other stacks or attributes, over the same dictionary. Samples that become
 * equal are added up.
 */
final class Rekeyed {
  private final IntUnaryOperator stacks;
  private final IntUnaryOperator attributeSets;

  private Rekeyed(IntUnaryOperator stacks, IntUnaryOperator attributeSets) {
    this.stacks = stacks;
    this.attributeSets = attributeSets;
  }

  /**
   * Copies all profiles.
   *
   * @param stacks the new stack of each stack
   * @param attributeSets the new attribute set of each attribute set
   */
  static Profiles of(Profiles all, IntUnaryOperator stacks, IntUnaryOperator attributeSets) {
    Rekeyed rekeyed = new Rekeyed(stacks, attributeSets);
    IdentityHashMap<Samples, Samples> copies = new IdentityHashMap<>();
    List<Profile> profiles = new ArrayList<>();
    for (Profile profile : all.profiles()) {
      profiles.add(profile.with(copies.computeIfAbsent(profile.samples(), rekeyed::copy)));
    }
    return all.with(profiles);
  }

  private Samples copy(Samples from) {
    Samples to =
        from.isObserved() ? Samples.observed(from.columns()) : Samples.summed(from.columns());
    for (int sample = 0; sample < from.size(); sample++) {
      int stack = stacks.applyAsInt(from.stack(sample));
      int attributes = attributeSets.applyAsInt(from.attributeSet(sample));
      if (from.isObserved()) {
        observe(from, sample, stack, attributes, to);
      } else if (from.columns() == 2) {
        to.add(stack, attributes, from.link(sample), from.sum(sample, 0), from.sum(sample, 1));
      } else {
        to.add(stack, attributes, from.link(sample), from.sum(sample, 0));
      }
    }
    return to;
  }

  private static void observe(Samples from, int sample, int stack, int attributes, Samples to) {
    Observations each = from.observations();
    int link = from.link(sample);
    for (int i = 0; i < each.count(sample); i++) {
      long time = each.time(sample, i);
      long first = each.value(sample, i, 0);
      if (from.columns() == 2) {
        to.observe(stack, attributes, link, time, first, each.value(sample, i, 1));
      } else {
        to.observe(stack, attributes, link, time, first);
      }
    }
  }
}
