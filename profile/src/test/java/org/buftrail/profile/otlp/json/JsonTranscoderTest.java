package org.buftrail.profile.otlp.json;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.protobuf.ByteString;
import com.google.protobuf.Descriptors.FieldDescriptor;
import io.opentelemetry.proto.profiles.v1development.Profile;
import io.opentelemetry.proto.profiles.v1development.ProfilesData;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import org.buftrail.profile.otlp.Violations;
import org.buftrail.profile.protobuf.MalformedMessageException;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Numbers and ids of OTLP in JSON, in all the writings that JSON allows. */
final class JsonTranscoderTest {
  /** A field of a profile for each kind of number. */
  private static final Map<String, String> FIELDS =
      Map.of(
          "int64", "period",
          "uint64", "durationNano",
          "fixed64", "timeUnixNano",
          "uint32", "droppedAttributesCount",
          "id", "profileId");

  private static Object transcoded(String kind, String value) throws IOException {
    if (kind.equals("int32")) {
      return profile("attributeIndices", "[" + value + "]").getAttributeIndices(0);
    }
    String name = FIELDS.getOrDefault(kind, "");
    FieldDescriptor field =
        Profile.getDescriptor().getFields().stream()
            .filter(each -> each.getJsonName().equals(name))
            .findFirst()
            .orElseThrow();
    Object found = profile(name, value).getField(field);
    return found instanceof Integer number && kind.equals("uint32")
        ? Integer.toUnsignedLong(number)
        : found;
  }

  private static Profile profile(String field, String value) throws IOException {
    String json =
        "{\"resourceProfiles\":[{\"scopeProfiles\":[{\"profiles\":[{\""
            + field
            + "\":"
            + value
            + "}]}]}]}";
    ByteArrayInputStream source = new ByteArrayInputStream(json.getBytes(StandardCharsets.UTF_8));
    return ProfilesData.parseFrom(JsonTranscoder.toProtobuf(source, new Violations()))
        .getResourceProfiles(0)
        .getScopeProfiles(0)
        .getProfiles(0);
  }

  @ParameterizedTest
  @CsvSource({
    "int32, 7, 7",
    "int32, '\"7\"', 7",
    "int32, 7.0, 7",
    "int32, 2147483647.0, 2147483647",
    "int32, -2147483648.0, -2147483648",
    "uint32, 4294967295, 4294967295",
    "uint32, 4294967295.0, 4294967295",
    "uint32, 0.0, 0",
    "int64, 1e3, 1000",
    "int64, -1e3, -1000",
    "int64, 9223372036854775807, 9223372036854775807",
    "int64, 9007199254740992.0, 9007199254740992",
    "int64, -9007199254740992.0, -9007199254740992",
    "uint64, 1e3, 1000",
    "uint64, 9007199254740992.0, 9007199254740992",
    "uint64, 0.0, 0",
    "fixed64, '\"1e3\"', 1000",
    "fixed64, 18446744073709551615, -1",
  })
  void aNumberIsTheSameInEachWriting(String kind, String written, long value) throws IOException {
    assertThat(((Number) transcoded(kind, written)).longValue()).isEqualTo(value);
  }

  /** Beyond 2^53 a number with a fraction is not exact. */
  @ParameterizedTest
  @CsvSource({
    "int32, 2147483648.0, INT32",
    "int32, -2147483649.0, INT32",
    "int32, 1.5, INT32",
    "uint32, 4294967296.0, UINT32",
    "uint32, -1.0, UINT32",
    "int64, 9007199254740994.0, INT64",
    "int64, -9007199254740994.0, INT64",
    "uint64, 9007199254740994.0, UINT64",
    "uint64, -1.0, UINT64",
    "fixed64, -1.0, FIXED64",
    "fixed64, 0.5, FIXED64",
  })
  void whatIsNoNumberOfTheFieldsKindIsRefused(String kind, String written, String named) {
    assertThatThrownBy(() -> transcoded(kind, written))
        .isInstanceOf(MalformedMessageException.class)
        .hasMessageContaining("is \"" + written + "\", which is no " + named);
  }

  @ParameterizedTest
  @CsvSource({"'', ''", "00ff7A, 00ff7a", "AbCd, abcd"})
  void anIdIsHexadecimalDigits(String written, String id) throws IOException {
    ByteString found = (ByteString) transcoded("id", '"' + written + '"');
    StringBuilder digits = new StringBuilder();
    found.forEach(each -> digits.append(String.format("%02x", each)));
    assertThat(digits.toString()).isEqualTo(id);
  }

  @ParameterizedTest
  @CsvSource({"0", "00f", "0g", "g0", "0g00", "00 0", "٠٠x٠"})
  void whatIsNoIdIsRefused(String written) {
    assertThatThrownBy(() -> transcoded("id", '"' + written + '"'))
        .isInstanceOf(MalformedMessageException.class)
        .hasMessageContaining("is \"" + written + "\" instead of hexadecimal digits");
  }
}
