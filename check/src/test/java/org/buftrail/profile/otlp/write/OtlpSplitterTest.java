package org.buftrail.profile.otlp.write;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.opentelemetry.proto.profiles.v1development.ProfilesData;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.buftrail.profile.Payload;
import org.buftrail.profile.Profile;
import org.buftrail.profile.Profiles;
import org.buftrail.profile.Samples;
import org.buftrail.profile.ValueType;
import org.buftrail.profile.dictionary.Dictionary;
import org.buftrail.profile.otlp.Flattened;
import org.buftrail.profile.otlp.RandomProfiles;
import org.buftrail.profile.otlp.check.Conformance;
import org.buftrail.profile.otlp.read.OtlpReader;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.RepetitionInfo;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class OtlpSplitterTest {
  /** Each sample with its profile's header, counted. */
  private static Map<String, Integer> samples(Profiles profiles) {
    Map<String, Integer> counts = new HashMap<>();
    String header = "";
    for (String line : Flattened.of(profiles)) {
      if (line.startsWith("[")) {
        counts.merge(header + line, 1, Integer::sum);
      } else {
        header = line;
      }
    }
    return counts;
  }

  private static List<byte[]> split(Profiles profiles, long maxBytes) throws IOException {
    List<byte[]> messages = new ArrayList<>();
    OtlpWriter writer = new OtlpWriter();
    new OtlpSplitter(maxBytes).split(profiles, part -> messages.add(writer.toByteArray(part)));
    return messages;
  }

  @RepeatedTest(60)
  void partsFitAndTogetherAreTheWhole(RepetitionInfo seed) throws IOException {
    Profiles whole = RandomProfiles.of(seed.getCurrentRepetition());
    int maxBytes = 5_000 + 250 * seed.getCurrentRepetition();
    Map<String, Integer> found = new HashMap<>();
    List<byte[]> messages;
    try {
      messages = split(whole, maxBytes);
    } catch (IllegalArgumentException oneSampleIsTooLarge) {
      assertThat(oneSampleIsTooLarge).hasMessageContaining("more than the limit of " + maxBytes);
      return;
    }
    for (byte[] message : messages) {
      assertThat(message).hasSizeLessThanOrEqualTo(maxBytes);
      assertThat(Conformance.check(new ByteArrayInputStream(message)).violations()).isEmpty();
      Profiles part = OtlpReader.read(new ByteArrayInputStream(message)).get(0);
      assertThat(part.resource().asMap()).containsEntry("service.name", "shop");
      samples(part).forEach((line, count) -> found.merge(line, count, Integer::sum));
    }
    assertThat(found).isEqualTo(samples(whole));
  }

  private static Profiles of(Samples samples, Dictionary dictionary) {
    return new Profiles(dictionary)
        .add(
            new Profile("cpu", ValueType.of("samples", "count"), samples, 0)
                .period(ValueType.of("cpu", "nanoseconds"), 10)
                .range(1_000, 1_000_000));
  }

  @Test
  void whatFitsStaysWhole() throws IOException {
    Profiles profiles = RandomProfiles.of(5);
    List<Profiles> parts = new ArrayList<>();
    new OtlpSplitter(1 << 20).split(profiles, parts::add);
    assertThat(parts).containsExactly(profiles);
  }

  @Test
  void oneSampleWithManyTimeStampsIsSplitToo() throws IOException {
    Samples samples = Samples.observed(1);
    for (int i = 0; i < 10_000; i++) {
      samples.observe(0, 0, 0, 1_000 + i, i);
    }
    List<byte[]> messages = split(of(samples, new Dictionary()), 20_000);
    assertThat(messages).hasSize(8);
    long times = 0;
    long total = 0;
    for (byte[] message : messages) {
      assertThat(message).hasSizeLessThanOrEqualTo(20_000);
      Profile part = OtlpReader.read(new ByteArrayInputStream(message)).get(0).profiles().get(0);
      assertThat(part.name()).isEqualTo("cpu");
      times += part.samples().observations().size();
      total += part.total();
    }
    assertThat(times).isEqualTo(10_000);
    assertThat(total).isEqualTo(49_995_000);
  }

  /** The payload is that of the whole, so once is enough; what describes the profile is not. */
  @Test
  void thePayloadIsInOnePartAndTheAttributesInEach(@TempDir Path folder) throws IOException {
    Dictionary dictionary = new Dictionary();
    Samples samples = Samples.summed(1);
    for (int i = 0; i < 2_000; i++) {
      int function = dictionary.functions().intern("function" + i);
      int frame = dictionary.locations().intern(function, i, 0);
      samples.add(dictionary.stacks().intern(new int[] {frame}, 0, 1), 0, 0, i + 1);
    }
    Profiles profiles = of(samples, dictionary);
    int sampling = dictionary.attributes().intern("sampling", 100, "");
    Path file = Files.write(folder.resolve("a.jfr"), new byte[500]);
    profiles
        .profiles()
        .get(0)
        .attributes(dictionary.attributeSets().intern(sampling))
        .payload(Payload.ofFiles("jfr", List.of(file)));
    List<ProfilesData> parts = new ArrayList<>();
    for (byte[] message : split(profiles, 20_000)) {
      parts.add(ProfilesData.parseFrom(message));
    }
    assertThat(parts).hasSizeGreaterThan(2);
    assertThat(parts)
        .extracting(part -> only(part).getOriginalPayload().size())
        .filteredOn(size -> size > 0)
        .containsExactly(500);
    for (ProfilesData part : parts) {
      assertThat(only(part).getAttributeIndicesList())
          .extracting(index -> part.getDictionary().getAttributeTable(index))
          .extracting(each -> part.getDictionary().getStringTable(each.getKeyStrindex()))
          .contains("sampling");
      assertThat(only(part).getTimeUnixNano()).isEqualTo(1_000);
      assertThat(only(part).getPeriod()).isEqualTo(10);
    }
  }

  private static io.opentelemetry.proto.profiles.v1development.Profile only(ProfilesData part) {
    return part.getResourceProfiles(0).getScopeProfiles(0).getProfiles(0);
  }

  @Test
  void whatCannotFitIsNamed(@TempDir Path folder) throws IOException {
    Dictionary dictionary = new Dictionary();
    Samples samples = Samples.summed(1);
    int name = dictionary.functions().intern("x".repeat(500));
    int frame = dictionary.locations().intern(name, 1, dictionary.frameType("jvm"));
    samples.add(dictionary.stacks().intern(new int[] {frame}, 0, 1), 0, 0, 1);
    Profiles profiles = of(samples, dictionary);
    long size = new OtlpWriter().size(profiles);
    assertThat(split(profiles, size)).hasSize(1);
    assertThatThrownBy(() -> split(profiles, size - 1))
        .hasMessage(
            "one sample of profile samples/count: "
                + size
                + " bytes, which is more than the limit of "
                + (size - 1)
                + " for a part");
    Path file = Files.write(folder.resolve("a.jfr"), new byte[2_000]);
    profiles.profiles().get(0).payload(Payload.ofFiles("jfr", List.of(file)));
    assertThatThrownBy(() -> split(profiles, 1_000))
        .hasMessageStartingWith("the original payload: 2000 bytes");
  }
}
