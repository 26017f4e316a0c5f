package org.buftrail.profile.otlp.schema;

import static org.assertj.core.api.Assertions.assertThat;

import io.opentelemetry.proto.profiles.v1development.Profile;
import io.opentelemetry.proto.profiles.v1development.ProfilesData;
import io.opentelemetry.proto.profiles.v1development.Sample;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.buftrail.profile.Profiles;
import org.buftrail.profile.Samples;
import org.buftrail.profile.ValueType;
import org.buftrail.profile.dictionary.Dictionary;
import org.buftrail.profile.otlp.read.OtlpReader;
import org.buftrail.profile.otlp.write.OtlpSplitter;
import org.buftrail.profile.otlp.write.OtlpWriter;
import org.junit.jupiter.api.Test;

/** Counted samples have their time beside them in messages, once, and not in the model. */
final class SampledTimeTest {
  private static final ValueType SAMPLES = ValueType.of("samples", "count");
  private static final ValueType WALL = ValueType.of("wall", "nanoseconds");
  private static final long PERIOD = 20_000_000;

  private final Dictionary dictionary = new Dictionary();
  private final OtlpWriter writer = new OtlpWriter();

  private int stack(int number) {
    int function = dictionary.functions().intern("shop.Cart.add" + number);
    return dictionary
        .stacks()
        .intern(new int[] {dictionary.locations().intern(function, 3, 0)}, 0, 1);
  }

  private Samples summed() {
    Samples samples = Samples.summed(1);
    samples.add(stack(1), 0, dictionary.links().intern(1, 2, 3), 7);
    samples.add(stack(2), 0, 0, 3);
    samples.add(stack(3), 0, 0, Long.MAX_VALUE / 2);
    return samples;
  }

  private Profiles profiles(String name, Samples samples, ValueType type, ValueType period) {
    return new Profiles(dictionary)
        .add(
            new org.buftrail.profile.Profile(name, type, samples, 0)
                .period(period, PERIOD)
                .range(1_000, 2_000));
  }

  private ProfilesData decoded(Profiles profiles) throws IOException {
    return ProfilesData.parseFrom(writer.toByteArray(profiles));
  }

  private static List<Profile> all(ProfilesData data) {
    return data.getResourceProfiles(0).getScopeProfiles(0).getProfilesList();
  }

  private static String type(Profile profile, ProfilesData data) {
    var strings = data.getDictionary().getStringTableList();
    return strings.get(profile.getSampleType().getTypeStrindex())
        + "/"
        + strings.get(profile.getSampleType().getUnitStrindex());
  }

  private List<Profiles> read(Profiles profiles) throws IOException {
    return OtlpReader.read(new ByteArrayInputStream(writer.toByteArray(profiles)));
  }

  @Test
  void timeStandsBesideCounts() throws IOException {
    ProfilesData data = decoded(profiles("wall", summed(), SAMPLES, WALL));
    assertThat(all(data))
        .extracting(p -> type(p, data))
        .containsExactly("samples/count", "wall/nanoseconds");
    Profile counts = all(data).get(0);
    Profile times = all(data).get(1);
    assertThat(times.getSamplesList())
        .extracting(sample -> sample.getValues(0))
        .containsExactly(7 * PERIOD, 3 * PERIOD, Long.MAX_VALUE);
    assertThat(times.toBuilder().clearSampleType().clearSamples().build())
        .isEqualTo(counts.toBuilder().clearSampleType().clearSamples().build());
    for (int i = 0; i < counts.getSamplesCount(); i++) {
      assertThat(times.getSamples(i).toBuilder().clearValues().build())
          .isEqualTo(counts.getSamples(i).toBuilder().clearValues().build());
    }
  }

  @Test
  void theTimeIsLeftOutAgainAndWrittenOnce() throws IOException {
    Profiles once = read(profiles("wall", summed(), SAMPLES, WALL)).get(0);
    assertThat(once.profiles()).hasSize(1);
    assertThat(once.profiles().get(0).sampleType()).isEqualTo(SAMPLES);
    Profiles twice = read(once).get(0);
    assertThat(twice.profiles()).hasSize(1);
    assertThat(all(decoded(twice))).hasSize(2);
  }

  /** Pyroscope refuses several values of one sample: a time stamp may have no value alone. */
  @Test
  void observedSamplesHaveOneTime() throws IOException {
    Samples samples = Samples.observed(1);
    int stack = stack(1);
    samples.observe(stack, 0, 0, 1_100, 1);
    samples.observe(stack, 0, 0, 1_200, 1);
    Profiles profiles = profiles("wall", samples, SAMPLES, WALL);
    List<Profile> all = all(decoded(profiles));
    assertThat(all.get(0).getSamples(0).getTimestampsUnixNanoList())
        .containsExactly(1_100L, 1_200L);
    Sample time = all.get(1).getSamples(0);
    assertThat(time.getValuesList()).containsExactly(2 * PERIOD);
    assertThat(time.getTimestampsUnixNanoList()).isEmpty();
    assertThat(read(profiles).get(0).profiles()).hasSize(1);
  }

  @Test
  void whatIsNoSampledTimeStandsAlone() throws IOException {
    ValueType locks = ValueType.of("lock_enter", "count");
    ValueType bytes = ValueType.of("space", "bytes");
    assertThat(all(decoded(profiles("wall", summed(), WALL, WALL)))).hasSize(1);
    assertThat(all(decoded(profiles("lock", summed(), SAMPLES, locks)))).hasSize(1);
    assertThat(all(decoded(profiles("alloc", summed(), SAMPLES, bytes)))).hasSize(1);
    assertThat(all(decoded(profiles("", summed(), SAMPLES, WALL)))).hasSize(1);
  }

  /** A profile that differs in one value says something of its own. */
  @Test
  void otherTimesAreKept() throws IOException {
    Samples other = Samples.summed(1);
    other.add(stack(1), 0, dictionary.links().intern(1, 2, 3), 7 * PERIOD);
    other.add(stack(2), 0, 0, 3 * PERIOD + 1);
    other.add(stack(3), 0, 0, Long.MAX_VALUE);
    Profiles profiles = profiles("wall", summed(), SAMPLES, WALL);
    profiles.add(
        new org.buftrail.profile.Profile("wall", WALL, other, 0)
            .period(WALL, PERIOD)
            .range(1_000, 2_000));
    assertThat(all(decoded(profiles))).hasSize(2);
    assertThat(read(profiles).get(0).profiles()).hasSize(2);
  }

  @Test
  void partsHaveTheirOwnTime() throws IOException {
    Samples samples = Samples.summed(1);
    for (int i = 0; i < 100; i++) {
      samples.add(stack(i), 0, 0, i + 1);
    }
    List<Profiles> parts = new ArrayList<>();
    new OtlpSplitter(3_000).split(profiles("wall", samples, SAMPLES, WALL), parts::add);
    assertThat(parts).hasSizeGreaterThan(1);
    long count = 0;
    long nanos = 0;
    for (Profiles part : parts) {
      List<Profile> both = all(decoded(part));
      assertThat(both).hasSize(2);
      count += both.get(0).getSamplesList().stream().mapToLong(s -> s.getValues(0)).sum();
      nanos += both.get(1).getSamplesList().stream().mapToLong(s -> s.getValues(0)).sum();
    }
    assertThat(count).isEqualTo(5_050);
    assertThat(nanos).isEqualTo(5_050 * PERIOD);
  }
}
