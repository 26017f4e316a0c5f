package org.buftrail.sql;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.buftrail.jfr.rows.SampleBatch;
import org.buftrail.jfr.rows.SampleBatchTaker;
import org.buftrail.jfr.rows.SampleType;
import org.buftrail.profile.Profile;
import org.buftrail.profile.Profiles;
import org.buftrail.profile.Samples;
import org.jspecify.annotations.Nullable;

/** Profiles that were read as such, and flow snapshots, as rows. */
final class ProfileRows {
  private final SampleBatchTaker taker;

  ProfileRows(SampleBatchTaker taker) {
    this.taker = taker;
  }

  /**
   * Hands on the samples of profiles.
   *
   * @param file what they were read from
   * @param process what is known of the process, where the profiles do not say it
   */
  void read(String file, List<Profiles> all, Map<String, Object> process) {
    for (Profiles profiles : all) {
      SampleBatch batch = new SampleBatch(profiles.dictionary());
      batch.begin(file);
      Map<String, Object> resource = new HashMap<>(process);
      resource.putAll(profiles.resource().asMap());
      batch.describe(resource);
      for (Profile profile : profiles.profiles()) {
        // The second value comes beside the first.
        if (profile.column() == 0 || !hasFirst(profile, profiles)) {
          add(profile, second(profile, profiles), batch);
        }
      }
      flush(batch);
    }
  }

  private static boolean hasFirst(Profile profile, Profiles all) {
    return all.profiles().stream()
        .anyMatch(other -> other.column() == 0 && other.samples() == profile.samples());
  }

  /** The profile of the second value of the same samples, if there is one. */
  private static @Nullable Profile second(Profile profile, Profiles all) {
    return all.profiles().stream()
        .filter(other -> other.column() > profile.column() && other.samples() == profile.samples())
        .findFirst()
        .orElse(null);
  }

  private void add(Profile profile, @Nullable Profile second, SampleBatch batch) {
    String name = profile.name().isEmpty() ? profile.sampleType().type() : profile.name();
    SampleType type =
        new SampleType(
            name,
            profile.sampleType().unit(),
            second == null ? null : second.sampleType().unit(),
            false);
    Samples samples = profile.samples();
    for (int i = 0; i < samples.size(); i++) {
      int count = samples.isObserved() ? samples.observations().count(i) : 1;
      for (int k = 0; k < count; k++) {
        long time = samples.isObserved() ? samples.observations().time(i, k) : profile.time();
        long first = value(samples, i, k, profile.column());
        long other = second == null ? SampleBatch.UNKNOWN : value(samples, i, k, second.column());
        batch.add(
            type,
            null,
            0,
            samples.stack(i),
            samples.attributeSet(i),
            samples.link(i),
            time,
            first,
            other);
        if (batch.isFull()) {
          flush(batch);
        }
      }
    }
  }

  private static long value(Samples samples, int sample, int observation, int column) {
    return samples.isObserved()
        ? samples.observations().value(sample, observation, column)
        : samples.sum(sample, column);
  }

  private void flush(SampleBatch batch) {
    if (batch.size() > 0) {
      taker.take(batch);
      batch.clear();
    }
  }
}
