package org.buftrail.profile.otlp.write;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.opentelemetry.proto.collector.profiles.v1development.ExportProfilesServiceRequest;
import io.opentelemetry.proto.common.v1.AnyValue;
import io.opentelemetry.proto.common.v1.KeyValue;
import io.opentelemetry.proto.profiles.v1development.Function;
import io.opentelemetry.proto.profiles.v1development.KeyValueAndUnit;
import io.opentelemetry.proto.profiles.v1development.Link;
import io.opentelemetry.proto.profiles.v1development.Location;
import io.opentelemetry.proto.profiles.v1development.Mapping;
import io.opentelemetry.proto.profiles.v1development.ProfilesData;
import io.opentelemetry.proto.profiles.v1development.ProfilesDictionary;
import io.opentelemetry.proto.profiles.v1development.Sample;
import io.opentelemetry.proto.profiles.v1development.Stack;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.buftrail.profile.Payload;
import org.buftrail.profile.Profile;
import org.buftrail.profile.Profiles;
import org.buftrail.profile.Samples;
import org.buftrail.profile.ValueType;
import org.buftrail.profile.dictionary.Dictionary;
import org.buftrail.profile.otlp.Flattened;
import org.buftrail.profile.otlp.RandomProfiles;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.RepetitionInfo;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class OtlpWriterTest {
  private final OtlpWriter writer = new OtlpWriter();

  @RepeatedTest(80)
  void whatIsWrittenIsDecodedByTheGeneratedClasses(RepetitionInfo seed) throws IOException {
    Profiles profiles = RandomProfiles.of(seed.getCurrentRepetition());
    byte[] bytes = writer.toByteArray(profiles);
    ProfilesData message = ProfilesData.parseFrom(bytes);
    assertThat(Flattened.of(message)).isEqualTo(Flattened.of(profiles));
    assertThat(message.toByteArray()).as("shortest form, fields in order").isEqualTo(bytes);
    assertThat(ExportProfilesServiceRequest.parseFrom(bytes).toByteArray()).isEqualTo(bytes);
  }

  @RepeatedTest(100)
  void tablesHaveNoDuplicatesAndNoOrphans(RepetitionInfo seed) throws IOException {
    Profiles profiles = RandomProfiles.of(seed.getCurrentRepetition());
    ProfilesData message = ProfilesData.parseFrom(writer.toByteArray(profiles));
    ProfilesDictionary tables = message.getDictionary();
    assertThat(tables.getMappingTable(0)).isEqualTo(Mapping.getDefaultInstance());
    assertThat(tables.getLocationTable(0)).isEqualTo(Location.getDefaultInstance());
    assertThat(tables.getFunctionTable(0)).isEqualTo(Function.getDefaultInstance());
    assertThat(tables.getLinkTable(0)).isEqualTo(Link.getDefaultInstance());
    assertThat(tables.getAttributeTable(0)).isEqualTo(KeyValueAndUnit.getDefaultInstance());
    assertThat(tables.getStackTable(0)).isEqualTo(Stack.getDefaultInstance());
    assertThat(tables.getStringTable(0)).isEmpty();
    assertThat(tables.getStringTableList()).doesNotHaveDuplicates();
    assertThat(tables.getLocationTableList()).doesNotHaveDuplicates();
    assertThat(tables.getFunctionTableList()).doesNotHaveDuplicates();
    assertThat(tables.getStackTableList()).doesNotHaveDuplicates();
    assertThat(tables.getAttributeTableList()).doesNotHaveDuplicates();
    assertThat(tables.getLinkTableList()).doesNotHaveDuplicates();
    assertThat(tables.getMappingTableList()).doesNotHaveDuplicates();

    List<Sample> samples = new ArrayList<>();
    message
        .getResourceProfiles(0)
        .getScopeProfiles(0)
        .getProfilesList()
        .forEach(profile -> samples.addAll(profile.getSamplesList()));
    var stacks = samples.stream().map(Sample::getStackIndex).collect(Collectors.toSet());
    stacks.add(0);
    assertThat(stacks).hasSize(tables.getStackTableCount());
    var links = samples.stream().map(Sample::getLinkIndex).collect(Collectors.toSet());
    links.add(0);
    assertThat(links).hasSize(tables.getLinkTableCount());
    var locations = new HashSet<>(List.of(0));
    tables.getStackTableList().forEach(stack -> locations.addAll(stack.getLocationIndicesList()));
    assertThat(locations).hasSize(tables.getLocationTableCount());
  }

  @Test
  void aWriterCanBeUsedAgainWithTheSameDictionary() throws IOException {
    Dictionary dictionary = new Dictionary();
    Profiles first = RandomProfiles.of(1, dictionary);
    List<String> lines = Flattened.of(first);
    byte[] before = writer.toByteArray(first);
    Profiles second = RandomProfiles.of(2, dictionary);
    assertThat(Flattened.of(ProfilesData.parseFrom(writer.toByteArray(second))))
        .isEqualTo(Flattened.of(second));
    assertThat(Flattened.of(ProfilesData.parseFrom(writer.toByteArray(first)))).isEqualTo(lines);
    assertThat(Flattened.of(ProfilesData.parseFrom(before))).isEqualTo(lines);
  }

  @Test
  void severalResourcesShareTheDictionary() throws IOException {
    Dictionary dictionary = new Dictionary();
    Profiles first = RandomProfiles.of(1, dictionary);
    Profiles second = RandomProfiles.of(2, dictionary);
    ByteArrayOutputStream target = new ByteArrayOutputStream();
    writer.write(List.of(first, second), target);
    ProfilesData message = ProfilesData.parseFrom(target.toByteArray());
    assertThat(message.getResourceProfilesCount()).isEqualTo(2);
    List<String> expected = new ArrayList<>(Flattened.of(first));
    expected.addAll(Flattened.of(second));
    assertThat(Flattened.of(message)).isEqualTo(expected);
    assertThatThrownBy(() -> writer.write(List.of(first, RandomProfiles.of(3)), target))
        .hasMessage("profiles over different dictionaries");
  }

  @Test
  void resourceAttributesKeepTheirTypes() throws IOException {
    Profiles profiles = new Profiles(new Dictionary());
    profiles
        .resource()
        .put("text", "ä")
        .put("number", -1L)
        .put("real", 0.25)
        .put("truth", true)
        .put("list", List.of("a", ""))
        .putAny("tree", Map.of("k", new byte[] {1, 2}));
    ProfilesData message = ProfilesData.parseFrom(writer.toByteArray(profiles));
    List<KeyValue> attributes = message.getResourceProfiles(0).getResource().getAttributesList();
    assertThat(attributes)
        .extracting(KeyValue::getKey)
        .containsExactly("text", "number", "real", "truth", "list", "tree");
    List<AnyValue> values = attributes.stream().map(KeyValue::getValue).toList();
    assertThat(values.get(0).getStringValue()).isEqualTo("ä");
    assertThat(values.get(1).getIntValue()).isEqualTo(-1);
    assertThat(values.get(2).getDoubleValue()).isEqualTo(0.25);
    assertThat(values.get(3).getBoolValue()).isTrue();
    assertThat(values.get(4).getArrayValue().getValues(1).hasStringValue()).isTrue();
    KeyValue inner = values.get(5).getKvlistValue().getValues(0);
    assertThat(inner.getKey()).isEqualTo("k");
    assertThat(inner.getValue().getBytesValue().toByteArray()).containsExactly(1, 2);
    assertThatThrownBy(() -> profiles.resource().putAny("x", 1))
        .hasMessage("attribute x has a value of type java.lang.Integer");
  }

  @Test
  void stacksAndTextsOfAnySizeAreWritten() throws IOException {
    Dictionary dictionary = new Dictionary();
    Samples samples = Samples.observed(1);
    int jvm = dictionary.frameType("jvm");
    for (int depth : new int[] {1, 15, 1_500, 1_700, 70_000}) {
      int[] locations = new int[depth];
      for (int k = 0; k < depth; k++) {
        String name = "f" + "x".repeat(k == 0 ? depth : 0) + k % 300;
        int function = dictionary.functions().intern(name);
        locations[k] = dictionary.locations().intern(function, k, jvm);
      }
      int text = dictionary.attributes().intern("text", "y".repeat(depth));
      int set = dictionary.attributeSets().intern(text);
      int stack = dictionary.stacks().intern(locations, 0, depth);
      for (int k = 0; k < depth; k++) {
        samples.observe(stack, set, 0, 1_000 + k, k);
      }
    }
    Profiles profiles =
        new Profiles(dictionary)
            .add(new Profile("cpu", ValueType.of("cpu", "ns"), samples, 0).range(1_000, 70_000));
    byte[] bytes = writer.toByteArray(profiles);
    ProfilesData message = ProfilesData.parseFrom(bytes);
    assertThat(Flattened.of(message)).isEqualTo(Flattened.of(profiles));
    assertThat(message.toByteArray()).isEqualTo(bytes);
  }

  @Test
  void thePayloadIsCarriedOnce(@TempDir Path folder) throws IOException {
    Path one = Files.write(folder.resolve("1.jfr"), new byte[] {1, 2});
    Path two = Files.write(folder.resolve("2.jfr"), new byte[] {3});
    Profiles profiles =
        new Profiles(new Dictionary())
            .add(
                new Profile("cpu", ValueType.of("samples", "count"), Samples.summed(1), 0)
                    .payload(Payload.ofFiles("jfr", List.of(one, two))));
    ProfilesData message = ProfilesData.parseFrom(writer.toByteArray(profiles));
    var profile = message.getResourceProfiles(0).getScopeProfiles(0).getProfiles(0);
    assertThat(profile.getOriginalPayloadFormat()).isEqualTo("jfr");
    assertThat(profile.getOriginalPayload().toByteArray()).containsExactly(1, 2, 3);
  }

  @Test
  void nothingToWriteIsStillAMessageWithZeroValues() throws IOException {
    ProfilesData message =
        ProfilesData.parseFrom(writer.toByteArray(new Profiles(new Dictionary())));
    assertThat(message.getDictionary().getStackTableCount()).isEqualTo(1);
    assertThat(message.getResourceProfiles(0).getScopeProfiles(0).getProfilesCount()).isZero();
  }

  @Test
  void manyStacksAreTheSameEachTime() throws IOException {
    Dictionary dictionary = new Dictionary();
    int[] frames = new int[300];
    for (int k = 0; k < frames.length; k++) {
      frames[k] = dictionary.locations().intern(dictionary.functions().intern("f" + k), k, 0);
    }
    Samples samples = Samples.summed(1);
    for (int i = 0; i < 6_000; i++) {
      int stack = dictionary.stacks().intern(frames, i % 100, i % 100 + 1 + i / 100);
      // Unused are single ones, and a whole slice.
      if (i % 7 != 0 && (i < 1_400 || i > 3_200)) {
        samples.add(stack, 0, 0, i);
      }
    }
    Profiles profiles = profiles(dictionary, samples);
    byte[] bytes = writer.toByteArray(profiles);
    assertThat(writer.toByteArray(profiles)).isEqualTo(bytes);
    ProfilesData message = ProfilesData.parseFrom(bytes);
    assertThat(message.getDictionary().getStackTableCount()).isEqualTo(1 + samples.size());
    assertThat(Flattened.of(message)).isEqualTo(Flattened.of(profiles));
  }

  /** Indices of one byte, two and three, and lengths about where these take one byte more. */
  @ParameterizedTest
  @ValueSource(ints = {100, 16_383, 16_384, 40_000})
  void usedStacksOfAnyDepthAreWrittenAmongUnusedOnes(int locations) throws IOException {
    Dictionary dictionary = new Dictionary();
    int[] frames = new int[locations];
    for (int k = 0; k < frames.length; k++) {
      int unused = dictionary.functions().intern("unused" + k);
      dictionary.locations().intern(unused, k, 0);
      frames[k] = dictionary.locations().intern(dictionary.functions().intern("f" + k), k, 0);
    }
    Samples samples = Samples.summed(1);
    for (int depth = 1; depth <= frames.length; depth += depth < 300 ? 1 : depth / 3) {
      int used = dictionary.stacks().intern(frames, frames.length - depth, frames.length);
      dictionary.stacks().intern(frames, 0, depth - 1);
      samples.add(used, 0, 0, depth);
    }
    samples.add(dictionary.stacks().intern(frames, 0, frames.length), 0, 0, 1);
    ProfilesDictionary tables = assertIsWritten(profiles(dictionary, samples)).getDictionary();
    assertThat(tables.getStackTableCount()).isEqualTo(samples.size() + 1);
    assertThat(tables.getLocationTableCount()).isEqualTo(locations + 1);
  }

  /** Many locations, and hardly a stack. */
  @ParameterizedTest
  @ValueSource(ints = {0, 1, 2, 3, 4, 5})
  void fewStacksOfManyLocationsAreWritten(int stacks) throws IOException {
    Dictionary dictionary = new Dictionary();
    int[] frames = new int[6_000];
    for (int k = 0; k < frames.length; k++) {
      frames[k] = dictionary.locations().intern(dictionary.functions().intern("f" + k), k, 0);
    }
    Samples samples = Samples.summed(1);
    for (int i = 0; i < stacks; i++) {
      samples.add(dictionary.stacks().intern(frames, i, frames.length), 0, 0, 1);
    }
    Profiles profiles = profiles(dictionary, samples);
    ProfilesData message = assertIsWritten(profiles);
    assertThat(message.getDictionary().getStackTableCount()).isEqualTo(1 + stacks);
  }

  /** Samples and locations with sets of attributes of any size, the same ones often. */
  @Test
  void setsOfAnySizeAreWritten() throws IOException {
    Dictionary dictionary = new Dictionary();
    Samples samples = Samples.summed(1);
    int[] members = new int[20];
    int[] location = new int[1];
    for (int i = 0; i < 4_000; i++) {
      int count = i % members.length;
      for (int k = 0; k < count; k++) {
        members[k] = dictionary.attributes().intern("key" + k, i / 50 % 10 * 31L + k, "");
      }
      int set = dictionary.attributeSets().intern(members, 0, count);
      location[0] = dictionary.locations().intern(dictionary.functions().intern("f"), i, set);
      int stack = dictionary.stacks().intern(location, 0, 1);
      samples.add(stack, set, i % 3 == 0 ? dictionary.links().intern(1, 2, i + 1) : 0, -i);
    }
    assertIsWritten(profiles(dictionary, samples));
  }

  /** A writer that is used again does not know the sets of the message before. */
  @Test
  void setsOfTheMessageBeforeAreForgotten() throws IOException {
    for (int before = 0; before < 3; before++) {
      Dictionary dictionary = new Dictionary();
      int[] earlier = new int[before];
      for (int i = 0; i < before; i++) {
        earlier[i] = dictionary.attributes().intern("earlier" + i, true);
      }
      int later = dictionary.attributes().intern("later", true);
      int set = dictionary.attributeSets().intern(later);
      assertThat(set).as("whatever numbers its members have").isEqualTo(1);
      int function = dictionary.functions().intern("f");
      int[] location = {dictionary.locations().intern(function, 1, set)};
      Samples samples = Samples.summed(1);
      samples.add(dictionary.stacks().intern(location, 0, 1), set, 0, 1);
      samples.add(0, dictionary.attributeSets().intern(earlier, 0, before), 0, 1);
      assertIsWritten(profiles(dictionary, samples));
    }
  }

  private static Profiles profiles(Dictionary dictionary, Samples samples) {
    return new Profiles(dictionary)
        .add(new Profile("cpu", ValueType.of("samples", "count"), samples, 0));
  }

  private ProfilesData assertIsWritten(Profiles profiles) throws IOException {
    byte[] bytes = writer.toByteArray(profiles);
    ProfilesData message = ProfilesData.parseFrom(bytes);
    assertThat(message.toByteArray()).as("shortest form").isEqualTo(bytes);
    assertThat(Flattened.of(message)).isEqualTo(Flattened.of(profiles));
    return message;
  }
}
