package org.buftrail.profile.diff;

import org.buftrail.profile.Observations;
import org.buftrail.profile.Profile;
import org.buftrail.profile.Profiles;
import org.buftrail.profile.Samples;
import org.buftrail.profile.trie.AttributeByKey;

/**
 * How far the values of a profile may be off by chance. The variance of a sum of independent events
 * is estimated by the sum of the squares of what each event adds: a count of 100 samples is off by
 * 10, and a sum that one event dominates by as much as that event.
 *
 * <p>Flows are counted one by one. Where every buffer was followed, a snapshot of them has no error
 * but for what was live, which is of one moment; with 1 in N followed, each stands for N. In a
 * recording, when a leak is found depends on the garbage collector. Belongs to one thread.
 */
final class SamplingError {
  /** The unit of a period of flows. */
  static final String FLOWS = "bytebuf";

  private static final String SAMPLING = "buftrail.flow.sampling";
  private static final String RECORDED = "flow_";

  private final Profile profile;
  private final Samples samples;
  private final boolean flows;

  /** How many events a count of 1 stands for; 0 where counts are exact. */
  private final double weight;

  private SamplingError(Profile profile, boolean flows, double weight) {
    this.profile = profile;
    this.samples = profile.samples();
    this.flows = flows;
    this.weight = weight;
  }

  static SamplingError of(Profiles profiles, Profile profile) {
    boolean flows = isOfFlows(profile);
    double weight = 1;
    if (flows && !profile.name().startsWith(RECORDED) && !Measure.isGauge(profile.sampleType())) {
      String sampling =
          new AttributeByKey(profiles.dictionary(), SAMPLING).in(profile.attributeSet());
      weight = sampling.isEmpty() || sampling.equals("1") ? 0 : Double.parseDouble(sampling);
    }
    return new SamplingError(profile, flows, weight);
  }

  static boolean isOfFlows(Profile profile) {
    return profile.periodType().type().equals(FLOWS);
  }

  /** Whether its values are known event by event, with times at which they were sampled. */
  boolean hasTimes() {
    return samples.isObserved() && !flows && !Measure.isGauge(profile.sampleType());
  }

  /** The variance of the value of a sample; 0 where it is exact, or nothing is known of it. */
  double variance(int sample) {
    double value = profile.value(sample);
    if (weight == 0 || value == 0) {
      return 0;
    }
    if (samples.isObserved() && !flows) {
      return squares(samples.observations(), sample);
    }
    if (profile.sampleType().unit().equals("count")) {
      return Math.abs(value) * weight;
    }
    if (profile.period() > 0 && profile.periodType().unit().equals(profile.sampleType().unit())) {
      return Math.abs(value) * profile.period();
    }
    double events = samples.columns() == 2 ? samples.sum(sample, 1 - profile.column()) : 0;
    return events > 0 ? value * value / events * weight : 0;
  }

  private double squares(Observations observations, int sample) {
    double squares = 0;
    for (int i = 0; i < observations.count(sample); i++) {
      double value = observations.value(sample, i, profile.column());
      squares += value * value;
    }
    return squares;
  }
}
