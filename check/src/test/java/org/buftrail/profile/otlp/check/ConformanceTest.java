package org.buftrail.profile.otlp.check;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.ByteString;
import com.google.protobuf.UnknownFieldSet;
import io.opentelemetry.proto.common.v1.AnyValue;
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
import io.opentelemetry.proto.profiles.v1development.Sample;
import io.opentelemetry.proto.profiles.v1development.ScopeProfiles;
import io.opentelemetry.proto.profiles.v1development.Stack;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import java.util.zip.GZIPOutputStream;
import org.buftrail.profile.Profiles;
import org.buftrail.profile.Samples;
import org.buftrail.profile.ValueType;
import org.buftrail.profile.dictionary.Dictionary;
import org.buftrail.profile.otlp.RandomProfiles;
import org.buftrail.profile.otlp.Violation;
import org.buftrail.profile.otlp.write.OtlpWriter;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.RepetitionInfo;
import org.junit.jupiter.api.Test;

class ConformanceTest {
  static List<String> check(byte[] bytes) throws IOException {
    Conformance.Result result = Conformance.check(new ByteArrayInputStream(bytes));
    assertThat(result.isConformant())
        .isEqualTo(result.violations().stream().allMatch(Violation::isAdvice));
    return result.violations().stream()
        .map(violation -> violation.toString().replaceFirst("(^|: )advice: ", "$1"))
        .collect(Collectors.toList());
  }

  /** One profile, one sample [leaf, root] = 7 with a thread and a link. */
  static ProfilesData.Builder minimal() throws IOException {
    Dictionary dictionary = new Dictionary();
    int jvm = dictionary.frameType("jvm");
    int leaf = dictionary.locations().intern(dictionary.functions().intern("leaf"), 3, jvm);
    int root = dictionary.locations().intern(dictionary.functions().intern("root"), 0, jvm);
    int stack = dictionary.stacks().intern(new int[] {leaf, root}, 0, 2);
    int thread = dictionary.attributes().intern("thread.name", "main");
    Samples samples = Samples.summed(1);
    samples.add(
        stack, dictionary.attributeSets().intern(thread), dictionary.links().intern(1, 2, 3), 7);
    Profiles profiles =
        new Profiles(dictionary)
            .add(
                new org.buftrail.profile.Profile("", ValueType.of("cpu", "ns"), samples, 0)
                    .period(ValueType.of("cpu", "ns"), 10)
                    .range(1_000, 50));
    profiles.resource().put("service.name", "shop");
    return ProfilesData.parseFrom(new OtlpWriter().toByteArray(profiles)).toBuilder();
  }

  static Profile.Builder profile(ProfilesData.Builder message) {
    return message.getResourceProfilesBuilder(0).getScopeProfilesBuilder(0).getProfilesBuilder(0);
  }

  private static void expect(Consumer<ProfilesData.Builder> change, String... violations)
      throws IOException {
    ProfilesData.Builder message = minimal();
    change.accept(message);
    assertThat(check(message.build().toByteArray())).containsExactlyInAnyOrder(violations);
  }

  private static void expectInTables(
      Consumer<ProfilesDictionary.Builder> change, String... violations) throws IOException {
    expect(message -> change.accept(message.getDictionaryBuilder()), violations);
  }

  private static void expectInProfile(Consumer<Profile.Builder> change, String... violations)
      throws IOException {
    expect(message -> change.accept(profile(message)), violations);
  }

  @RepeatedTest(80)
  void whatWeWriteIsConformant(RepetitionInfo seed) throws IOException {
    Profiles profiles = RandomProfiles.of(seed.getCurrentRepetition());
    byte[] bytes = new OtlpWriter().toByteArray(profiles);
    assertThat(check(bytes)).isEmpty();
  }

  @Test
  void profilesAndSamplesAreCounted() throws IOException {
    Profiles profiles = RandomProfiles.of(3);
    byte[] bytes = new OtlpWriter().toByteArray(profiles);
    Conformance.Result result = Conformance.check(new ByteArrayInputStream(bytes));
    long samples = profiles.profiles().stream().mapToLong(p -> p.samples().size()).sum();
    assertThat(result.profiles()).isEqualTo(4);
    assertThat(result.samples()).isEqualTo(samples).isPositive();
  }

  @Test
  void indicesOfSamplesAreInRange() throws IOException {
    expectInProfile(
        p -> p.getSamplesBuilder(0).setLinkIndex(77).setAttributeIndices(0, -1),
        "profiles[0].samples[0].link_index=77: link_table has 2 entries",
        "profiles[0].samples[0].attribute_indices[0]=-1: attribute_table has 3 entries",
        "dictionary.link_table[1]: no profile uses it",
        "dictionary.attribute_table[2]: no profile uses it",
        "dictionary.string_table[4]: no profile uses it");
    expectInProfile(
        p -> p.addSamples(Sample.newBuilder().setStackIndex(40).addValues(1)),
        "profiles[0].samples[1].stack_index=40: stack_table has 2 entries");
  }

  @Test
  void samplesHaveOneShape() throws IOException {
    expectInProfile(
        p -> p.addSamples(Sample.newBuilder().setStackIndex(1).addTimestampsUnixNano(1_049)),
        "profiles[0].samples[1]: has time stamps, the first has a value");
    expectInProfile(
        p -> p.getSamplesBuilder(0).addValues(8),
        "profiles[0].samples[0].values: has 2 of them and no time stamps");
    expectInProfile(
        p -> p.getSamplesBuilder(0).addValues(8).addTimestampsUnixNano(1_000),
        "profiles[0].samples[0].values: has 2 of them and 1 time stamps");
    expectInProfile(
        p -> p.addSamples(Sample.newBuilder().setStackIndex(1)),
        "profiles[0].samples[1]: has neither values nor time stamps");
  }

  @Test
  void timeStampsLieInTheRangeOfTheProfile() throws IOException {
    expectInProfile(
        p -> {
          p.getSamplesBuilder(0).clearValues().addTimestampsUnixNano(1_000);
          p.getSamplesBuilder(0).addTimestampsUnixNano(1_049).addTimestampsUnixNano(1_050);
          p.getSamplesBuilder(0).addTimestampsUnixNano(999);
        },
        "profiles[0].samples[0].timestamps_unix_nano[2]=1050:"
            + " lies outside of the profile's 1000 + 50",
        "profiles[0].samples[0].timestamps_unix_nano[3]=999:"
            + " lies outside of the profile's 1000 + 50");
    expectInProfile(
        p ->
            p.setTimeUnixNano(-10)
                .setDurationNano(9)
                .getSamplesBuilder(0)
                .clearValues()
                .addTimestampsUnixNano(-2));
    expectInProfile(
        p ->
            p.setTimeUnixNano(-10)
                .setDurationNano(20)
                .getSamplesBuilder(0)
                .clearValues()
                .addTimestampsUnixNano(-1),
        "profiles[0].samples[0].timestamps_unix_nano[0]=18446744073709551615:"
            + " lies outside of the profile's 18446744073709551606 + 20");
  }

  @Test
  void samplesOfOneIdentityAreOneSample() throws IOException {
    expectInProfile(
        p -> p.addSamples(p.getSamples(0)),
        "profiles[0].samples[1]: has the stack, attributes and link of sample 0;"
            + " they are one sample");
  }

  @Test
  void typesAndPeriodsAreThere() throws IOException {
    expectInProfile(
        p -> p.setPeriod(0).clearPeriodType(),
        "profiles[0].period: is 0; backends drop such profiles",
        "profiles[0].period_type: has no type",
        "profiles[0].period_type: has no unit");
    expectInProfile(p -> p.setPeriod(-4), "profiles[0].period=-4: is negative");
    expectInProfile(
        p -> p.getSampleTypeBuilder().setTypeStrindex(99),
        "profiles[0].sample_type.type_strindex=99: string_table has 7 entries");
    expectInProfile(p -> p.setTimeUnixNano(0), "profiles[0].time_unix_nano: is 0");
  }

  @Test
  void idsHaveTheirLengths() throws IOException {
    expectInProfile(
        p -> p.setProfileId(ByteString.copyFrom(new byte[3])),
        "profiles[0].profile_id: has 3 bytes instead of 16");
    expectInProfile(
        p -> p.setProfileId(ByteString.copyFrom(new byte[16])),
        "profiles[0].profile_id: has only zeros, which is not valid");
    expectInTables(
        d -> d.getLinkTableBuilder(1).setTraceId(ByteString.copyFrom(new byte[8])),
        "dictionary.link_table[1].trace_id: has 8 bytes instead of 16");
    expectInTables(
        d ->
            d.getLinkTableBuilder(1)
                .setTraceId(ByteString.copyFrom(new byte[16]))
                .setSpanId(ByteString.copyFrom(new byte[8])),
        "dictionary.link_table[1]: has only zeros for ids, which is no link");
  }

  @Test
  void thePayloadHasAFormat() throws IOException {
    expectInProfile(
        p -> p.setOriginalPayload(ByteString.copyFromUtf8("x")),
        "profiles[0].original_payload: payload and format must be set together or not at all");
    expectInProfile(
        p -> p.setOriginalPayload(ByteString.copyFromUtf8("x")).setOriginalPayloadFormat("jfr"));
  }

  @Test
  void entryZeroIsTheZeroValue() throws IOException {
    expectInTables(
        d ->
            d.setStringTable(0, "x")
                .setMappingTable(0, Mapping.newBuilder().setMemoryLimit(1))
                .setFunctionTable(0, Function.newBuilder().setStartLine(1))
                .setLinkTable(
                    0,
                    Link.newBuilder()
                        .setTraceId(ByteString.copyFrom(new byte[16]))
                        .setSpanId(ByteString.copyFrom(new byte[] {0, 0, 0, 0, 0, 0, 0, 1})))
                .setAttributeTable(
                    0, KeyValueAndUnit.newBuilder().setValue(AnyValue.newBuilder().setIntValue(0)))
                .setLocationTable(0, Location.newBuilder().addLines(Line.getDefaultInstance()))
                .setStackTable(0, Stack.newBuilder().addLocationIndices(1)),
        "dictionary.string_table[0]: is not \"\"",
        "dictionary.mapping_table[0]: is not Mapping{}",
        "dictionary.function_table[0]: is not Function{}",
        "dictionary.link_table[0]: is not Link{}",
        "dictionary.attribute_table[0]: is not KeyValueAndUnit{}",
        "dictionary.location_table[0]: is not Location{}",
        "dictionary.stack_table[0]: is not Stack{}");
    expectInTables(
        d -> d.clearMappingTable(),
        "dictionary.mapping_table: is empty; entry 0 must be Mapping{}");
  }

  /** The .proto file also allows 16 and 8 zero bytes; OpenTelemetry's checker refuses them. */
  @Test
  void theZeroLinkIsWithoutBytes() throws IOException {
    expectInTables(d -> d.setLinkTable(0, Link.getDefaultInstance()));
    expectInTables(
        d ->
            d.setLinkTable(
                0,
                Link.newBuilder()
                    .setTraceId(ByteString.copyFrom(new byte[16]))
                    .setSpanId(ByteString.copyFrom(new byte[8]))),
        "dictionary.link_table[0]: is not Link{}");
    expectInTables(
        d -> d.setLinkTable(0, Link.newBuilder().setTraceId(ByteString.copyFrom(new byte[16]))),
        "dictionary.link_table[0]: is not Link{}");
  }

  /** What the .proto file says with SHOULD, and what backends ask for, breaks nothing. */
  @Test
  void whatIsRecommendedIsAdvice() throws IOException {
    ProfilesData.Builder message = minimal();
    profile(message).setPeriod(0).setTimeUnixNano(0).setDurationNano(0).clearPeriodType();
    message.getDictionaryBuilder().addStringTable("leaf");
    message.getDictionaryBuilder().getLocationTableBuilder(1).clearAttributeIndices();
    Conformance.Result advised =
        Conformance.check(new ByteArrayInputStream(message.build().toByteArray()));
    assertThat(advised.isConformant()).isTrue();
    assertThat(advised.count()).isZero();
    assertThat(advised.adviceCount()).isEqualTo(advised.violations().size()).isGreaterThan(5);
    assertThat(advised.violations())
        .extracting(Violation::toString)
        .contains(
            "profiles[0].period: advice: is 0; backends drop such profiles",
            "dictionary.location_table[1]: advice: has no attribute profile.frame.type");
    profile(message).getSamplesBuilder(0).setStackIndex(99);
    Conformance.Result wrong =
        Conformance.check(new ByteArrayInputStream(message.build().toByteArray()));
    assertThat(wrong.isConformant()).isFalse();
    assertThat(wrong.count()).isEqualTo(1);
    assertThat(wrong.violations().get(0))
        .hasToString("profiles[0].samples[0].stack_index=99: stack_table has 2 entries");
  }

  @Test
  void noEntryIsThereTwice() throws IOException {
    expectInTables(
        d ->
            d.addStringTable("leaf")
                .addFunctionTable(d.getFunctionTable(1))
                .addLocationTable(d.getLocationTable(1))
                .addLinkTable(d.getLinkTable(1))
                .addAttributeTable(d.getAttributeTable(1))
                .addStackTable(d.getStackTable(1))
                .addMappingTable(Mapping.getDefaultInstance()),
        "dictionary.string_table[7]: is the same as entry 2",
        "dictionary.string_table[7]: no profile uses it",
        "dictionary.function_table[3]: is the same as entry 1",
        "dictionary.function_table[3]: no profile uses it",
        "dictionary.location_table[3]: is the same as entry 1",
        "dictionary.location_table[3]: no profile uses it",
        "dictionary.link_table[2]: is the same as entry 1",
        "dictionary.link_table[2]: no profile uses it",
        "dictionary.attribute_table[3]: is the same as entry 1",
        "dictionary.attribute_table[3]: no profile uses it",
        "dictionary.stack_table[2]: is the same as entry 1",
        "dictionary.stack_table[2]: no profile uses it",
        "dictionary.mapping_table[1]: is the same as entry 0",
        "dictionary.mapping_table[1]: no profile uses it",
        "dictionary.mapping_table[1]: has no attribute process.executable.build_id.*;"
            + " backends drop it");
  }

  @Test
  void locationsHaveAFrameTypeAndLinesInRange() throws IOException {
    expectInTables(
        d ->
            d.getLocationTableBuilder(1)
                .clearAttributeIndices()
                .getLinesBuilder(0)
                .setFunctionIndex(9)
                .setLine(-1)
                .setColumn(-2),
        "dictionary.location_table[1]: has no attribute profile.frame.type",
        "dictionary.location_table[1].lines[0].function_index=9: function_table has 3 entries",
        "dictionary.location_table[1].lines[0].line=-1: is negative",
        "dictionary.location_table[1].lines[0].column=-2: is negative",
        "dictionary.function_table[1]: no profile uses it",
        "dictionary.string_table[2]: no profile uses it");
    expectInTables(
        d -> {
          d.addMappingTable(Mapping.newBuilder().setMemoryStart(5).setMemoryLimit(5));
          d.getLocationTableBuilder(1).setMappingIndex(1);
        },
        "dictionary.location_table[1].mapping_index=1: a jvm frame has no mapping",
        "dictionary.mapping_table[1].memory_start=0x5: is not below memory_limit=0x5",
        "dictionary.mapping_table[1]: has no attribute process.executable.build_id.*;"
            + " backends drop it");
  }

  @Test
  void functionsHaveANameAndStacksLocations() throws IOException {
    expectInTables(
        d -> d.getFunctionTableBuilder(1).setNameStrindex(0).setStartLine(-3),
        "dictionary.function_table[1]: has no name, no system name and no file",
        "dictionary.function_table[1].start_line=-3: is negative",
        "dictionary.string_table[2]: no profile uses it");
    expectInTables(
        d -> d.getStackTableBuilder(1).addLocationIndices(0).addLocationIndices(8),
        "dictionary.stack_table[1].location_indices[2]: is 0, which is no location",
        "dictionary.stack_table[1].location_indices[3]=8: location_table has 3 entries");
  }

  @Test
  void attributesHaveKeysAndNoListHasAKeyTwice() throws IOException {
    expect(
        message -> {
          message
              .getDictionaryBuilder()
              .addAttributeTable(
                  KeyValueAndUnit.newBuilder()
                      .setKeyStrindex(4)
                      .setValue(AnyValue.newBuilder().setStringValueStrindex(50)));
          profile(message).getSamplesBuilder(0).addAttributeIndices(3);
        },
        "profiles[0].samples[0].attribute_indices: has the key \"thread.name\" twice",
        "dictionary.attribute_table[3].value.string_value_strindex=50: string_table has 7 entries");
    expect(
        message -> {
          message
              .getDictionaryBuilder()
              .addAttributeTable(
                  KeyValueAndUnit.newBuilder().setValue(AnyValue.newBuilder().setBoolValue(true)));
          profile(message).addAttributeIndices(3).addAttributeIndices(0);
        },
        "profiles[0].attribute_indices[1]: is 0, which is no attribute",
        "dictionary.attribute_table[3].key_strindex: is 0, an attribute without a key");
  }

  @Test
  void resourcesHaveEachKeyOnce() throws IOException {
    expect(
        message ->
            message
                .getResourceProfilesBuilder(0)
                .getResourceBuilder()
                .addAttributes(KeyValue.newBuilder().setKey("service.name"))
                .addAttributes(KeyValue.newBuilder().setKey("x").setKeyStrindex(60))
                .addAttributes(KeyValue.getDefaultInstance()),
        "resource.attributes[1]: has the key \"service.name\" of another attribute",
        "resource.attributes[2].key_strindex=60: string_table has 7 entries",
        "resource.attributes[2]: must have one of key and key_strindex",
        "resource.attributes[3]: must have one of key and key_strindex");
  }

  @Test
  void everyLevelHasContent() throws IOException {
    expect(
        message -> {
          message.addResourceProfilesBuilder();
          message.addResourceProfilesBuilder().addScopeProfiles(ScopeProfiles.getDefaultInstance());
          message.getResourceProfilesBuilder(0).addScopeProfilesBuilder();
        },
        "resource_profiles[1].scope_profiles: is empty",
        "resource_profiles[2].scope_profiles[0].profiles: is empty",
        "scope_profiles[1].profiles: is empty");
    assertThat(check(new byte[] {0x12, 0}))
        .contains(
            "resource_profiles: is empty",
            "dictionary.link_table: is empty; entry 0 must be Link{}");
    assertThat(check(new byte[] {0x0A, 0}))
        .containsExactly("scope_profiles: is empty", "dictionary: is missing");
  }

  @Test
  void fieldsOfOtherVersionsAreNamed() throws IOException {
    UnknownFieldSet old =
        UnknownFieldSet.newBuilder()
            .addField(9, UnknownFieldSet.Field.newBuilder().addVarint(1).build())
            .addField(4, UnknownFieldSet.Field.newBuilder().addFixed32(1).build())
            .build();
    expectInProfile(
        p -> p.getSamplesBuilder(0).setUnknownFields(old),
        "profiles[0].samples[0]: Sample has no field 9; written by another version?",
        "profiles[0].samples[0]: Sample.values has wire type 5 instead of 0;"
            + " written by another version?");
  }

  @Test
  void textIsUtf8() throws IOException {
    ProfilesData.Builder message = minimal();
    byte[] bytes = message.build().toByteArray();
    String text = new String(bytes, StandardCharsets.ISO_8859_1);
    byte[] broken = text.replace("leaf", "le\u00FFf").getBytes(StandardCharsets.ISO_8859_1);
    assertThat(check(broken)).containsExactly("dictionary.string_table[2]: is not valid UTF-8");
  }

  @Test
  void whatIsNoProfileIsNamed() throws IOException {
    assertThat(check(new byte[0]))
        .containsExactly("is empty; an OTLP profile has at least a dictionary");
    ByteArrayOutputStream packed = new ByteArrayOutputStream();
    try (GZIPOutputStream gzip = new GZIPOutputStream(packed)) {
      gzip.write(minimal().build().toByteArray());
    }
    assertThat(check(packed.toByteArray()))
        .singleElement()
        .asString()
        .startsWith("is compressed with gzip; unpack it first");
    assertThat(check("FLR\0\0\2\0\1".getBytes(StandardCharsets.ISO_8859_1)))
        .containsExactly("is a flight recording, not an OTLP profile; convert it");
    byte[] whole = minimal().build().toByteArray();
    byte[] cut = java.util.Arrays.copyOf(whole, whole.length - 5);
    assertThat(check(cut)).containsExactly("the message is cut off at byte " + cut.length);
    assertThat(check("hello, world".getBytes(StandardCharsets.US_ASCII))).isNotEmpty();
  }

  @Test
  void thousandsOfViolationsAreCountedAndTheFirstKept() throws IOException {
    ProfilesData.Builder message = minimal();
    for (int i = 0; i < 5_000; i++) {
      profile(message).addSamples(Sample.newBuilder().setStackIndex(100 + i).addValues(1));
    }
    byte[] bytes = message.build().toByteArray();
    Conformance.Result result = Conformance.check(new ByteArrayInputStream(bytes));
    assertThat(result.count()).isEqualTo(5_000);
    assertThat(result.violations()).hasSize(1_000);
    assertThat(result.violations().get(999).place())
        .isEqualTo("profiles[0].samples[1000].stack_index=1099");
  }
}
