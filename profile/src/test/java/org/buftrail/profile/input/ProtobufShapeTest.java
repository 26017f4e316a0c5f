package org.buftrail.profile.input;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.ByteString;
import io.opentelemetry.proto.profiles.v1development.ProfilesData;
import io.opentelemetry.proto.profiles.v1development.ProfilesDictionary;
import io.opentelemetry.proto.profiles.v1development.ResourceProfiles;
import java.util.HexFormat;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class ProtobufShapeTest {
  @Test
  void otlpIsKnownWithAndWithoutResources() {
    ProfilesDictionary dictionary =
        ProfilesDictionary.newBuilder().addStringTable("").addStringTable("a").build();
    ProfilesData whole =
        ProfilesData.newBuilder()
            .addResourceProfiles(ResourceProfiles.newBuilder().setSchemaUrl("x"))
            .setDictionary(dictionary)
            .build();
    assertThat(ProtobufShape.of(whole.toByteArray())).isEqualTo(ProtobufShape.OTLP);
    ByteString alone = ProfilesData.newBuilder().setDictionary(dictionary).build().toByteString();
    assertThat(ProtobufShape.of(alone.toByteArray())).isEqualTo(ProtobufShape.OTLP);
    ByteString cut = whole.toByteString().substring(0, 4);
    assertThat(ProtobufShape.of(cut.toByteArray())).isEqualTo(ProtobufShape.OTLP);
  }

  /** Profiles as pprof lays them out, and what is neither. */
  @ParameterizedTest
  @CsvSource({
    // sample_type{type: 1, unit: 2}, string_table{""}
    "0a04080110023200, PPROF",
    // sample{location_id: 1}, sample_type{..}
    "120208010a0408011002, PPROF",
    // string_table first
    "3200320161, PPROF",
    // a sample with packed ids before the strings
    "12030a01013200, PPROF",
    // resource_profiles{}
    "0a00, OTLP",
    // a field that neither has
    "a20600, NEITHER",
    // a length that is cut off
    "0aff, NEITHER",
    // fixed32
    "0d00000000, NEITHER",
  })
  void bytes(String hex, ProtobufShape shape) {
    assertThat(ProtobufShape.of(HexFormat.of().parseHex(hex))).isEqualTo(shape);
  }
}
