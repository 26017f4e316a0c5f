package org.buftrail.profile.otlp.write;

import java.io.IOException;
import java.util.List;
import org.buftrail.profile.Observations;
import org.buftrail.profile.Payload;
import org.buftrail.profile.Profile;
import org.buftrail.profile.Profiles;
import org.buftrail.profile.Samples;

/**
 * Splits profiles into parts whose protobuf form stays below a size, for receivers that limit it.
 *
 * <p>A part is halved, first by profiles, then by samples, then by the observations of one sample,
 * until it fits. Parts share the dictionary in memory; written, each carries only what it uses.
 * Every sample is in exactly one part, unless it alone had too many time stamps. Belongs to one
 * thread.
 */
public final class OtlpSplitter {
  private final OtlpWriter writer = new OtlpWriter();
  private final long maxBytes;

  /** Takes the parts. */
  public interface Receiver {
    /**
     * Takes a part.
     *
     * @throws IOException if it cannot be handed on
     */
    void receive(Profiles part) throws IOException;
  }

  /**
   * @param maxBytes what a part may have at most, in bytes of protobuf
   */
  public OtlpSplitter(long maxBytes) {
    this.maxBytes = maxBytes;
  }

  /**
   * Splits profiles; what fits is handed on as it is.
   *
   * @throws IOException if the receiver does
   * @throws IllegalArgumentException if one sample or an original payload is larger than a part may
   *     be
   */
  public void split(Profiles profiles, Receiver receiver) throws IOException {
    long size = writer.size(profiles);
    if (size <= maxBytes) {
      receiver.receive(profiles);
      return;
    }
    List<Profile> all = profiles.profiles();
    if (all.size() > 1) {
      int half = all.size() / 2;
      split(profiles.with(all.subList(0, half)), receiver);
      split(profiles.with(all.subList(half, all.size())), receiver);
    } else if (all.isEmpty()) {
      throw tooLarge("resource attributes", size);
    } else {
      splitProfile(profiles, all.get(0), size, receiver);
    }
  }

  private IllegalArgumentException tooLarge(String what, long size) {
    return new IllegalArgumentException(
        what + ": " + size + " bytes, which is more than the limit of " + maxBytes + " for a part");
  }

  private void splitProfile(Profiles profiles, Profile profile, long size, Receiver receiver)
      throws IOException {
    Payload payload = profile.payload();
    if (payload != null && payload.size() > maxBytes) {
      throw tooLarge("the original payload", payload.size());
    }
    Samples samples = profile.samples();
    if (samples.size() > 1) {
      int half = samples.size() / 2;
      splitHalves(
          profiles,
          profile,
          range(profile, 0, half),
          range(profile, half, samples.size()),
          receiver);
      return;
    }
    int observations =
        samples.isObserved() && !samples.isEmpty() ? samples.observations().count(0) : 0;
    if (observations < 2) {
      throw tooLarge("one sample of profile " + profile.sampleType(), size);
    }
    int half = observations / 2;
    Samples first = Samples.observed(1);
    Samples second = Samples.observed(1);
    observe(profile, 0, 0, half, first);
    observe(profile, 0, half, observations, second);
    splitHalves(profiles, profile, first, second, receiver);
  }

  private void splitHalves(
      Profiles profiles, Profile profile, Samples first, Samples second, Receiver receiver)
      throws IOException {
    Profile left = withSamples(profile, first).payload(profile.payload());
    split(profiles.with(List.of(left)), receiver);
    split(profiles.with(List.of(withSamples(profile, second))), receiver);
  }

  private static Profile withSamples(Profile source, Samples samples) {
    return new Profile(source.name(), source.sampleType(), samples, 0)
        .period(source.periodType(), source.period())
        .range(source.time(), source.duration())
        .attributes(source.attributeSet());
  }

  /** The samples of a range, with the one value that is the profile's. */
  private static Samples range(Profile profile, int from, int to) {
    Samples source = profile.samples();
    Samples target = source.isObserved() ? Samples.observed(1) : Samples.summed(1);
    for (int i = from; i < to; i++) {
      if (source.isObserved()) {
        observe(profile, i, 0, source.observations().count(i), target);
      } else {
        target.add(source.stack(i), source.attributeSet(i), source.link(i), profile.value(i));
      }
    }
    return target;
  }

  private static void observe(Profile profile, int sample, int from, int to, Samples target) {
    Samples source = profile.samples();
    Observations observations = source.observations();
    for (int k = from; k < to; k++) {
      target.observe(
          source.stack(sample),
          source.attributeSet(sample),
          source.link(sample),
          observations.time(sample, k),
          observations.value(sample, k, profile.column()));
    }
  }
}
