package org.buftrail.profile.otlp.schema;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.Descriptors.Descriptor;
import com.google.protobuf.Descriptors.FieldDescriptor;
import io.opentelemetry.proto.collector.profiles.v1development.ExportProfilesServiceRequest;
import io.opentelemetry.proto.profiles.v1development.ProfilesData;
import java.util.HashSet;
import java.util.Objects;
import java.util.Set;
import org.junit.jupiter.api.Test;

class SchemaTest {
  private final Set<String> seen = new HashSet<>();

  private void compare(Schema schema, Descriptor descriptor) {
    if (!seen.add(descriptor.getFullName())) {
      return;
    }
    assertThat(schema.size()).as(descriptor.getFullName()).isEqualTo(descriptor.getFields().size());
    for (FieldDescriptor expected : descriptor.getFields()) {
      Schema.Field field = Objects.requireNonNull(schema.field(expected.getNumber()));
      assertThat(field.name).isEqualTo(expected.getName());
      assertThat(field.jsonName).isEqualTo(expected.getJsonName());
      assertThat(schema.field(expected.getJsonName())).isSameAs(field);
      assertThat(field.repeated).as(expected.getFullName()).isEqualTo(expected.isRepeated());
      String type = expected.getType().name();
      String kind = field.kind == Schema.Kind.ID ? "BYTES" : field.kind.name();
      assertThat(kind).as(expected.getFullName()).isEqualTo(type);
      if (field.kind == Schema.Kind.MESSAGE) {
        assertThat(field.nested().name()).isEqualTo(expected.getMessageType().getName());
        compare(field.nested(), expected.getMessageType());
      }
    }
  }

  @Test
  void everyFieldIsAsInTheProtoFiles() {
    compare(Schema.PROFILES_DATA, ProfilesData.getDescriptor());
    assertThat(seen).hasSize(21);
    seen.remove(ProfilesData.getDescriptor().getFullName());
    compare(Schema.PROFILES_DATA, ExportProfilesServiceRequest.getDescriptor());
  }
}
