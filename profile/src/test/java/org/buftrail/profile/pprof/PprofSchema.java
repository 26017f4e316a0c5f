package org.buftrail.profile.pprof;

import com.google.protobuf.DescriptorProtos.DescriptorProto;
import com.google.protobuf.DescriptorProtos.FieldDescriptorProto;
import com.google.protobuf.DescriptorProtos.FileDescriptorProto;
import com.google.protobuf.Descriptors.Descriptor;
import com.google.protobuf.Descriptors.DescriptorValidationException;
import com.google.protobuf.Descriptors.FileDescriptor;
import java.util.List;
import java.util.Locale;

/** The published {@code profile.proto}, as a descriptor that protobuf itself decodes by. */
final class PprofSchema {
  private static final String[] MESSAGES = {
    "Profile: *ValueType sample_type 1, *Sample sample 2, *Mapping mapping 3, *Location location 4,"
        + " *Function function 5, *string string_table 6, int64 drop_frames 7, int64 keep_frames 8,"
        + " int64 time_nanos 9, int64 duration_nanos 10, ValueType period_type 11, int64 period 12,"
        + " *int64 comment 13, int64 default_sample_type 14",
    "ValueType: int64 type 1, int64 unit 2",
    "Sample: *uint64 location_id 1, *int64 value 2, *Label label 3",
    "Label: int64 key 1, int64 str 2, int64 num 3, int64 num_unit 4",
    "Mapping: uint64 id 1, uint64 memory_start 2, uint64 memory_limit 3, uint64 file_offset 4,"
        + " int64 filename 5, int64 build_id 6, bool has_functions 7, bool has_filenames 8,"
        + " bool has_line_numbers 9, bool has_inline_frames 10",
    "Location: uint64 id 1, uint64 mapping_id 2, uint64 address 3, *Line line 4, bool is_folded 5",
    "Line: uint64 function_id 1, int64 line 2, int64 column 3",
    "Function: uint64 id 1, int64 name 2, int64 system_name 3, int64 filename 4, int64 start_line 5"
  };

  private PprofSchema() {}

  static Descriptor profile() throws DescriptorValidationException {
    FileDescriptorProto.Builder file =
        FileDescriptorProto.newBuilder().setName("profile.proto").setSyntax("proto3");
    for (String text : MESSAGES) {
      String[] parts = text.split(": ", 2);
      DescriptorProto.Builder message = file.addMessageTypeBuilder().setName(parts[0]);
      for (String field : List.of(parts[1].split(", ", -1))) {
        message.addField(field(field.split(" ", -1)));
      }
    }
    return FileDescriptor.buildFrom(file.build(), new FileDescriptor[0])
        .findMessageTypeByName("Profile");
  }

  private static FieldDescriptorProto field(String[] words) {
    boolean repeated = words[0].startsWith("*");
    String type = repeated ? words[0].substring(1) : words[0];
    FieldDescriptorProto.Builder field =
        FieldDescriptorProto.newBuilder()
            .setName(words[1])
            .setNumber(Integer.parseInt(words[2]))
            .setLabel(
                repeated
                    ? FieldDescriptorProto.Label.LABEL_REPEATED
                    : FieldDescriptorProto.Label.LABEL_OPTIONAL);
    if (Character.isUpperCase(type.charAt(0))) {
      return field.setType(FieldDescriptorProto.Type.TYPE_MESSAGE).setTypeName(type).build();
    }
    return field
        .setType(FieldDescriptorProto.Type.valueOf("TYPE_" + type.toUpperCase(Locale.ROOT)))
        .build();
  }
}
