package org.buftrail.profile.otlp.read;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.protobuf.ByteString;
import io.opentelemetry.proto.common.v1.AnyValue;
import io.opentelemetry.proto.common.v1.ArrayValue;
import io.opentelemetry.proto.common.v1.KeyValue;
import io.opentelemetry.proto.profiles.v1development.Function;
import io.opentelemetry.proto.profiles.v1development.KeyValueAndUnit;
import io.opentelemetry.proto.profiles.v1development.Line;
import io.opentelemetry.proto.profiles.v1development.Link;
import io.opentelemetry.proto.profiles.v1development.Location;
import io.opentelemetry.proto.profiles.v1development.Mapping;
import io.opentelemetry.proto.profiles.v1development.Profile;
import io.opentelemetry.proto.profiles.v1development.ProfilesData;
import io.opentelemetry.proto.profiles.v1development.ProfilesDictionary;
import io.opentelemetry.proto.profiles.v1development.ResourceProfiles;
import io.opentelemetry.proto.profiles.v1development.Sample;
import io.opentelemetry.proto.profiles.v1development.ScopeProfiles;
import io.opentelemetry.proto.profiles.v1development.Stack;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.buftrail.profile.Profiles;
import org.buftrail.profile.dictionary.Dictionary;
import org.buftrail.profile.otlp.Flattened;
import org.buftrail.profile.otlp.RandomProfiles;
import org.buftrail.profile.otlp.write.OtlpWriter;
import org.buftrail.profile.protobuf.MalformedMessageException;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.RepetitionInfo;
import org.junit.jupiter.api.Test;

class OtlpReaderTest {
  private final OtlpWriter writer = new OtlpWriter();

  private static List<Profiles> read(byte[] bytes) throws IOException {
    return OtlpReader.read(new ByteArrayInputStream(bytes));
  }

  @RepeatedTest(80)
  void whatIsWrittenIsReadBack(RepetitionInfo seed) throws IOException {
    Profiles written = RandomProfiles.of(seed.getCurrentRepetition());
    List<Profiles> read = read(writer.toByteArray(written));
    assertThat(read).hasSize(1);
    assertThat(Flattened.of(read.get(0))).isEqualTo(Flattened.of(written));
    assertThat(read.get(0).profiles().get(0).name()).isEqualTo("alloc");
    assertThat(writer.toByteArray(read.get(0))).hasSameSizeAs(writer.toByteArray(written));
  }

  @Test
  void resourceAttributesAreReadBack() throws IOException {
    Profiles written = RandomProfiles.of(7);
    Map<String, Object> read = read(writer.toByteArray(written)).get(0).resource().asMap();
    assertThat(read).usingRecursiveComparison().isEqualTo(written.resource().asMap());
    assertThat(read).containsEntry("process.command_args", List.of("java", "-jar", "ü.jar"));
  }

  @Test
  void severalMessagesCanShareADictionary() throws IOException {
    Dictionary dictionary = new Dictionary();
    List<Profiles> all = new ArrayList<>();
    for (int seed = 1; seed <= 2; seed++) {
      byte[] bytes = writer.toByteArray(RandomProfiles.of(seed));
      all.addAll(OtlpReader.read(new ByteArrayInputStream(bytes), dictionary));
    }
    ByteArrayOutputStream target = new ByteArrayOutputStream();
    writer.write(all, target);
    List<Profiles> again = read(target.toByteArray());
    assertThat(again).hasSize(2);
    for (int i = 0; i < 2; i++) {
      assertThat(Flattened.of(again.get(i))).isEqualTo(Flattened.of(RandomProfiles.of(i + 1)));
    }
  }

  /** A message as others write it: with duplicates, several values, references for texts. */
  private static ProfilesData.Builder foreign() {
    ProfilesDictionary.Builder dictionary =
        ProfilesDictionary.newBuilder()
            .addMappingTable(Mapping.getDefaultInstance())
            .addLocationTable(Location.getDefaultInstance())
            .addFunctionTable(Function.getDefaultInstance())
            .addLinkTable(Link.getDefaultInstance())
            .addAttributeTable(KeyValueAndUnit.getDefaultInstance())
            .addStackTable(Stack.getDefaultInstance())
            .addAllStringTable(List.of("", "main", "main", "cpu", "ns", "where", "here"))
            .addFunctionTable(Function.newBuilder().setNameStrindex(1))
            .addFunctionTable(Function.newBuilder().setNameStrindex(2))
            .addLocationTable(Location.newBuilder().addLines(Line.newBuilder().setFunctionIndex(1)))
            .addLocationTable(Location.newBuilder().addLines(Line.newBuilder().setFunctionIndex(2)))
            .addStackTable(Stack.newBuilder().addLocationIndices(1))
            .addStackTable(Stack.newBuilder().addLocationIndices(2))
            .addLinkTable(
                Link.newBuilder()
                    .setTraceId(ByteString.copyFrom(new byte[] {1, 2}))
                    .setSpanId(ByteString.copyFrom(new byte[] {0, 0, 0, 0, 0, 0, 0, 9})))
            .addAttributeTable(
                KeyValueAndUnit.newBuilder()
                    .setKeyStrindex(5)
                    .setValue(AnyValue.newBuilder().setStringValueStrindex(6)))
            .addAttributeTable(
                KeyValueAndUnit.newBuilder()
                    .setKeyStrindex(5)
                    .setValue(
                        AnyValue.newBuilder()
                            .setArrayValue(
                                ArrayValue.newBuilder()
                                    .addValues(AnyValue.newBuilder().setIntValue(4)))));
    Profile.Builder profile =
        Profile.newBuilder()
            .addSamples(
                Sample.newBuilder()
                    .setStackIndex(1)
                    .setLinkIndex(1)
                    .addAttributeIndices(1)
                    .addValues(3)
                    .addValues(4))
            .addSamples(
                Sample.newBuilder()
                    .setStackIndex(2)
                    .setLinkIndex(1)
                    .addAttributeIndices(1)
                    .addTimestampsUnixNano(99)
                    .addTimestampsUnixNano(98));
    profile.getSampleTypeBuilder().setTypeStrindex(3).setUnitStrindex(4);
    return ProfilesData.newBuilder()
        .setDictionary(dictionary)
        .addResourceProfiles(
            ResourceProfiles.newBuilder()
                .addScopeProfiles(ScopeProfiles.newBuilder().addProfiles(profile)));
  }

  @Test
  void whatOthersWriteIsNormalised() throws IOException {
    ProfilesData.Builder message = foreign();
    message
        .getResourceProfilesBuilder(0)
        .getResourceBuilder()
        .addAttributes(
            KeyValue.newBuilder()
                .setKeyStrindex(5)
                .setValue(AnyValue.newBuilder().setStringValueStrindex(6)));
    Profiles read = read(message.build().toByteArray()).get(0);
    assertThat(read.resource().asMap()).containsExactly(Map.entry("where", "here"));
    assertThat(Flattened.of(read))
        .containsExactly(
            "scope  ",
            "cpu/ns|/|0|0+0|[]",
            "[[main///0:0:0]@0{0-0+0[]}[]]|[where=string:here[]]"
                + "|01020000000000000000000000000000/0000000000000009|[9]|[]");
  }

  @Test
  void anIndexThatPointsNowhereIsRefused() {
    ProfilesData.Builder message = foreign();
    message.getDictionaryBuilder().getStackTableBuilder(1).addLocationIndices(-5);
    assertThatThrownBy(() -> read(message.build().toByteArray()))
        .isInstanceOf(MalformedMessageException.class)
        .hasMessage("location_indices=-5: location_table has 3 entries");
    ProfilesData.Builder other = foreign();
    other
        .getResourceProfilesBuilder(0)
        .getScopeProfilesBuilder(0)
        .getProfilesBuilder(0)
        .getSamplesBuilder(0)
        .setStackIndex(3);
    assertThatThrownBy(() -> read(other.build().toByteArray()))
        .hasMessage("stack_index=3: stack_table has 3 entries");
  }
}
