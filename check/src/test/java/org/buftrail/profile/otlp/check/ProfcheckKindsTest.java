package org.buftrail.profile.otlp.check;

import static org.assertj.core.api.Assertions.assertThat;
import static org.buftrail.profile.otlp.check.ConformanceTest.check;
import static org.buftrail.profile.otlp.check.ConformanceTest.minimal;
import static org.buftrail.profile.otlp.check.ConformanceTest.profile;

import com.google.protobuf.ByteString;
import com.google.protobuf.UnknownFieldSet;
import io.opentelemetry.proto.common.v1.AnyValue;
import io.opentelemetry.proto.common.v1.EntityRef;
import io.opentelemetry.proto.profiles.v1development.KeyValueAndUnit;
import io.opentelemetry.proto.profiles.v1development.ProfilesData;
import io.opentelemetry.proto.profiles.v1development.ProfilesDictionary;
import io.opentelemetry.proto.profiles.v1development.Sample;
import io.opentelemetry.proto.profiles.v1development.Stack;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

/**
 * The kinds of fault that OpenTelemetry's checker refuses and the check once took. Changed messages
 * showed them; {@link ProfcheckTest} looks for others.
 */
class ProfcheckKindsTest {
  /** It compares texts of keys, and reads the text of a format. */
  @Test
  void whatTheCheckerOfOpenTelemetryRefusesIsNotConformant() throws IOException {
    ProfilesData.Builder keys = minimal();
    ProfilesDictionary.Builder tables = keys.getDictionaryBuilder();
    int used =
        keys.getResourceProfiles(0)
            .getScopeProfiles(0)
            .getProfiles(0)
            .getSamples(0)
            .getAttributeIndices(0);
    KeyValueAndUnit thread = tables.getAttributeTable(used);
    tables.addStringTable(tables.getStringTable(thread.getKeyStrindex()));
    int again = tables.getStringTableCount() - 1;
    tables.addAttributeTable(thread.toBuilder().setKeyStrindex(again));
    profile(keys).getSamplesBuilder(0).addAttributeIndices(tables.getAttributeTableCount() - 1);
    assertThat(check(keys.build().toByteArray()))
        .anyMatch(line -> line.contains("has the key \"thread.name\" twice"));

    ProfilesData.Builder unknown = minimal();
    unknown
        .getDictionaryBuilder()
        .setStackTable(
            0,
            Stack.newBuilder()
                .setUnknownFields(
                    UnknownFieldSet.newBuilder()
                        .addField(99, UnknownFieldSet.Field.newBuilder().addVarint(1).build())
                        .build()));
    byte[] bytes = unknown.build().toByteArray();
    assertThat(Conformance.check(new ByteArrayInputStream(bytes)).isConformant()).isFalse();

    ProfilesData.Builder format = minimal();
    profile(format).setOriginalPayload(ByteString.copyFromUtf8("x"));
    profile(format).setOriginalPayloadFormat("jfr");
    byte[] wrong = format.build().toByteArray();
    int at = new String(wrong, StandardCharsets.ISO_8859_1).lastIndexOf("jfr");
    wrong[at] = (byte) 0xFF;
    assertThat(check(wrong))
        .anyMatch(l -> l.contains("original_payload_format is not valid UTF-8"));
  }

  /** What OpenTelemetry's checker refuses is wrong, also where the .proto file says SHOULD. */
  @Test
  void whatTheCheckerRefusesIsNoAdvice() throws IOException {
    ProfilesData.Builder message = minimal();
    profile(message).getSamplesBuilder(0).addValues(8);
    profile(message).addSamples(Sample.newBuilder().setStackIndex(1).addTimestampsUnixNano(1));
    Conformance.Result result =
        Conformance.check(new ByteArrayInputStream(message.build().toByteArray()));
    assertThat(result.count()).isEqualTo(3);
    assertThat(result.adviceCount()).isZero();
  }

  /** A message that comes in parts is one message: an empty part takes nothing back. */
  @Test
  void partsOfAValueAreOneValue() throws IOException {
    ProfilesData.Builder message = minimal();
    AnyValue list = AnyValue.parseFrom(new byte[] {0x2A, 0});
    KeyValueAndUnit.Builder first = message.getDictionaryBuilder().getAttributeTableBuilder(0);
    first.setValue(list);
    assertThat(check(message.build().toByteArray()))
        .contains("dictionary.attribute_table[0]: is not KeyValueAndUnit{}");
    // The value's field again, with nothing in it.
    byte[] parts = {0x12, 8, 0x32, 6, 0x12, 2, 0x2A, 0, 0x12, 0};
    first.clearValue();
    message.getDictionaryBuilder().removeAttributeTable(0);
    ByteArrayOutputStream whole = new ByteArrayOutputStream();
    whole.writeBytes(parts);
    message.build().writeTo(whole);
    assertThat(check(whole.toByteArray()))
        .contains("dictionary.attribute_table[0]: is not KeyValueAndUnit{}");
  }

  @Test
  void namesOfEntitiesAreText() throws IOException {
    ProfilesData.Builder message = minimal();
    message
        .getResourceProfilesBuilder(0)
        .getResourceBuilder()
        .addEntityRefs(EntityRef.newBuilder().setType("entity").addIdKeys("service.name"));
    byte[] bytes = message.build().toByteArray();
    assertThat(check(bytes)).isEmpty();
    int at = new String(bytes, StandardCharsets.ISO_8859_1).indexOf("entity");
    bytes[at] = (byte) 0xFF;
    assertThat(check(bytes))
        .containsExactly("resource_profiles[0]: a text of entity_refs is not valid UTF-8");
    // The length of the text goes beyond its message.
    bytes[at - 1] = 100;
    assertThat(check(bytes)).anyMatch(line -> line.startsWith("a field of 100 bytes"));
  }

  @Test
  void aNumberHas64Bits() throws IOException {
    byte[] message = minimal().build().toByteArray();
    // Field 100, which nobody knows, as ten bytes with a 65th bit.
    byte[] number = {(byte) 0xA0, 6, -1, -1, -1, -1, -1, -1, -1, -1, -1, 1};
    ByteArrayOutputStream whole = new ByteArrayOutputStream();
    whole.writeBytes(number);
    whole.writeBytes(message);
    byte[] bytes = whole.toByteArray();
    assertThat(Conformance.check(new ByteArrayInputStream(bytes)).isConformant()).isTrue();
    bytes[11] = 2;
    assertThat(check(bytes)).contains("a number has more than 64 bits, byte 12");
  }
}
