package org.buftrail.profile.otlp.schema;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.buftrail.profile.protobuf.WireType;
import org.jspecify.annotations.Nullable;

/** The fields of each message: number, names, type. What JSON and the decoder go by. */
public final class Schema {
  /** Types of fields, as far as this format has them. */
  public enum Kind {
    /** A number that JSON writes as one. */
    INT32(WireType.VARINT),
    /** As {@link #INT32}, without a sign. */
    UINT32(WireType.VARINT),
    /** A number that JSON writes as text. */
    INT64(WireType.VARINT),
    /** As {@link #INT64}, without a sign. */
    UINT64(WireType.VARINT),
    /** As {@link #UINT64}, always 8 bytes. */
    FIXED64(WireType.FIXED64),
    /** A truth value. */
    BOOL(WireType.VARINT),
    /** A floating-point number. */
    DOUBLE(WireType.FIXED64),
    /** Text in UTF-8. */
    STRING(WireType.LENGTH),
    /** Bytes that JSON writes in base64. */
    BYTES(WireType.LENGTH),
    /** Bytes that JSON writes in hexadecimal digits. */
    ID(WireType.LENGTH),
    /** A message. */
    MESSAGE(WireType.LENGTH);

    public final int wireType;

    Kind(int wireType) {
      this.wireType = wireType;
    }

    public boolean isNumber() {
      return wireType != WireType.LENGTH;
    }
  }

  public static final class Field {
    public final int number;
    public final String name;
    public final String jsonName;
    public final Kind kind;
    public final boolean repeated;
    final @Nullable Schema message;

    Field(int number, String name, Kind kind, boolean repeated, @Nullable Schema message) {
      this.number = number;
      this.name = name;
      this.jsonName = lowerCamelCase(name);
      this.kind = kind;
      this.repeated = repeated;
      this.message = message;
    }

    /** Whether a value of this field may come with a wire type; numbers may be packed. */
    public boolean allows(int wireType) {
      return wireType == kind.wireType
          || (repeated && kind.isNumber() && wireType == WireType.LENGTH);
    }

    /** The type of a {@link Kind#MESSAGE}. */
    public Schema nested() {
      if (message == null) {
        throw new IllegalStateException(name + " is not a message");
      }
      return message;
    }

    private static String lowerCamelCase(String name) {
      StringBuilder text = new StringBuilder(name.length());
      for (int i = 0; i < name.length(); i++) {
        char c = name.charAt(i);
        boolean start = i > 0 && name.charAt(i - 1) == '_';
        if (c != '_') {
          text.append(start ? Character.toUpperCase(c) : c);
        }
      }
      return text.toString();
    }
  }

  public static final Schema ANY_VALUE = new Schema("AnyValue");
  public static final Schema KEY_VALUE =
      new Schema("KeyValue")
          .one(OtlpFields.KeyValue.KEY, "key", Kind.STRING)
          .one(OtlpFields.KeyValue.VALUE, "value", ANY_VALUE)
          .one(OtlpFields.KeyValue.KEY_STRINDEX, "key_strindex", Kind.INT32);
  public static final Schema ARRAY_VALUE =
      new Schema("ArrayValue").many(OtlpFields.ArrayValue.VALUES, "values", ANY_VALUE);
  public static final Schema KEY_VALUE_LIST =
      new Schema("KeyValueList").many(OtlpFields.KeyValueList.VALUES, "values", KEY_VALUE);

  static {
    ANY_VALUE
        .one(OtlpFields.AnyValue.STRING_VALUE, "string_value", Kind.STRING)
        .one(OtlpFields.AnyValue.BOOL_VALUE, "bool_value", Kind.BOOL)
        .one(OtlpFields.AnyValue.INT_VALUE, "int_value", Kind.INT64)
        .one(OtlpFields.AnyValue.DOUBLE_VALUE, "double_value", Kind.DOUBLE)
        .one(OtlpFields.AnyValue.ARRAY_VALUE, "array_value", ARRAY_VALUE)
        .one(OtlpFields.AnyValue.KVLIST_VALUE, "kvlist_value", KEY_VALUE_LIST)
        .one(OtlpFields.AnyValue.BYTES_VALUE, "bytes_value", Kind.BYTES)
        .one(OtlpFields.AnyValue.STRING_VALUE_STRINDEX, "string_value_strindex", Kind.INT32);
  }

  public static final Schema ENTITY_REF =
      new Schema("EntityRef")
          .one(OtlpFields.EntityRef.SCHEMA_URL, "schema_url", Kind.STRING)
          .one(OtlpFields.EntityRef.TYPE, "type", Kind.STRING)
          .many(OtlpFields.EntityRef.ID_KEYS, "id_keys", Kind.STRING)
          .many(OtlpFields.EntityRef.DESCRIPTION_KEYS, "description_keys", Kind.STRING);
  public static final Schema RESOURCE =
      new Schema("Resource")
          .many(OtlpFields.Resource.ATTRIBUTES, "attributes", KEY_VALUE)
          .one(
              OtlpFields.Resource.DROPPED_ATTRIBUTES_COUNT, "dropped_attributes_count", Kind.UINT32)
          .many(OtlpFields.Resource.ENTITY_REFS, "entity_refs", ENTITY_REF);
  public static final Schema INSTRUMENTATION_SCOPE =
      new Schema("InstrumentationScope")
          .one(OtlpFields.InstrumentationScope.NAME, "name", Kind.STRING)
          .one(OtlpFields.InstrumentationScope.VERSION, "version", Kind.STRING)
          .many(OtlpFields.InstrumentationScope.ATTRIBUTES, "attributes", KEY_VALUE)
          .one(
              OtlpFields.InstrumentationScope.DROPPED_ATTRIBUTES_COUNT,
              "dropped_attributes_count",
              Kind.UINT32);
  public static final Schema VALUE_TYPE =
      new Schema("ValueType")
          .one(OtlpFields.ValueType.TYPE_STRINDEX, "type_strindex", Kind.INT32)
          .one(OtlpFields.ValueType.UNIT_STRINDEX, "unit_strindex", Kind.INT32);
  public static final Schema SAMPLE =
      new Schema("Sample")
          .one(OtlpFields.Sample.STACK_INDEX, "stack_index", Kind.INT32)
          .many(OtlpFields.Sample.ATTRIBUTE_INDICES, "attribute_indices", Kind.INT32)
          .one(OtlpFields.Sample.LINK_INDEX, "link_index", Kind.INT32)
          .many(OtlpFields.Sample.VALUES, "values", Kind.INT64)
          .many(OtlpFields.Sample.TIMESTAMPS_UNIX_NANO, "timestamps_unix_nano", Kind.FIXED64);
  public static final Schema PROFILE =
      new Schema("Profile")
          .one(OtlpFields.Profile.SAMPLE_TYPE, "sample_type", VALUE_TYPE)
          .many(OtlpFields.Profile.SAMPLES, "samples", SAMPLE)
          .one(OtlpFields.Profile.TIME_UNIX_NANO, "time_unix_nano", Kind.FIXED64)
          .one(OtlpFields.Profile.DURATION_NANO, "duration_nano", Kind.UINT64)
          .one(OtlpFields.Profile.PERIOD_TYPE, "period_type", VALUE_TYPE)
          .one(OtlpFields.Profile.PERIOD, "period", Kind.INT64)
          .one(OtlpFields.Profile.PROFILE_ID, "profile_id", Kind.ID)
          .one(OtlpFields.Profile.DROPPED_ATTRIBUTES_COUNT, "dropped_attributes_count", Kind.UINT32)
          .one(OtlpFields.Profile.ORIGINAL_PAYLOAD_FORMAT, "original_payload_format", Kind.STRING)
          .one(OtlpFields.Profile.ORIGINAL_PAYLOAD, "original_payload", Kind.BYTES)
          .many(OtlpFields.Profile.ATTRIBUTE_INDICES, "attribute_indices", Kind.INT32);
  public static final Schema SCOPE_PROFILES =
      new Schema("ScopeProfiles")
          .one(OtlpFields.ScopeProfiles.SCOPE, "scope", INSTRUMENTATION_SCOPE)
          .many(OtlpFields.ScopeProfiles.PROFILES, "profiles", PROFILE)
          .one(OtlpFields.ScopeProfiles.SCHEMA_URL, "schema_url", Kind.STRING);
  public static final Schema RESOURCE_PROFILES =
      new Schema("ResourceProfiles")
          .one(OtlpFields.ResourceProfiles.RESOURCE, "resource", RESOURCE)
          .many(OtlpFields.ResourceProfiles.SCOPE_PROFILES, "scope_profiles", SCOPE_PROFILES)
          .one(OtlpFields.ResourceProfiles.SCHEMA_URL, "schema_url", Kind.STRING);
  public static final Schema MAPPING =
      new Schema("Mapping")
          .one(OtlpFields.Mapping.MEMORY_START, "memory_start", Kind.UINT64)
          .one(OtlpFields.Mapping.MEMORY_LIMIT, "memory_limit", Kind.UINT64)
          .one(OtlpFields.Mapping.FILE_OFFSET, "file_offset", Kind.UINT64)
          .one(OtlpFields.Mapping.FILENAME_STRINDEX, "filename_strindex", Kind.INT32)
          .many(OtlpFields.Mapping.ATTRIBUTE_INDICES, "attribute_indices", Kind.INT32);
  public static final Schema LINE =
      new Schema("Line")
          .one(OtlpFields.Line.FUNCTION_INDEX, "function_index", Kind.INT32)
          .one(OtlpFields.Line.LINE, "line", Kind.INT64)
          .one(OtlpFields.Line.COLUMN, "column", Kind.INT64);
  public static final Schema LOCATION =
      new Schema("Location")
          .one(OtlpFields.Location.MAPPING_INDEX, "mapping_index", Kind.INT32)
          .one(OtlpFields.Location.ADDRESS, "address", Kind.UINT64)
          .many(OtlpFields.Location.LINES, "lines", LINE)
          .many(OtlpFields.Location.ATTRIBUTE_INDICES, "attribute_indices", Kind.INT32);
  public static final Schema FUNCTION =
      new Schema("Function")
          .one(OtlpFields.Function.NAME_STRINDEX, "name_strindex", Kind.INT32)
          .one(OtlpFields.Function.SYSTEM_NAME_STRINDEX, "system_name_strindex", Kind.INT32)
          .one(OtlpFields.Function.FILENAME_STRINDEX, "filename_strindex", Kind.INT32)
          .one(OtlpFields.Function.START_LINE, "start_line", Kind.INT64);
  public static final Schema LINK =
      new Schema("Link")
          .one(OtlpFields.Link.TRACE_ID, "trace_id", Kind.ID)
          .one(OtlpFields.Link.SPAN_ID, "span_id", Kind.ID);
  public static final Schema KEY_VALUE_AND_UNIT =
      new Schema("KeyValueAndUnit")
          .one(OtlpFields.KeyValueAndUnit.KEY_STRINDEX, "key_strindex", Kind.INT32)
          .one(OtlpFields.KeyValueAndUnit.VALUE, "value", ANY_VALUE)
          .one(OtlpFields.KeyValueAndUnit.UNIT_STRINDEX, "unit_strindex", Kind.INT32);
  public static final Schema STACK =
      new Schema("Stack").many(OtlpFields.Stack.LOCATION_INDICES, "location_indices", Kind.INT32);
  public static final Schema PROFILES_DICTIONARY =
      new Schema("ProfilesDictionary")
          .many(OtlpFields.ProfilesDictionary.MAPPING_TABLE, "mapping_table", MAPPING)
          .many(OtlpFields.ProfilesDictionary.LOCATION_TABLE, "location_table", LOCATION)
          .many(OtlpFields.ProfilesDictionary.FUNCTION_TABLE, "function_table", FUNCTION)
          .many(OtlpFields.ProfilesDictionary.LINK_TABLE, "link_table", LINK)
          .many(OtlpFields.ProfilesDictionary.STRING_TABLE, "string_table", Kind.STRING)
          .many(
              OtlpFields.ProfilesDictionary.ATTRIBUTE_TABLE, "attribute_table", KEY_VALUE_AND_UNIT)
          .many(OtlpFields.ProfilesDictionary.STACK_TABLE, "stack_table", STACK);
  public static final Schema PROFILES_DATA =
      new Schema("ProfilesData")
          .many(OtlpFields.ProfilesData.RESOURCE_PROFILES, "resource_profiles", RESOURCE_PROFILES)
          .one(OtlpFields.ProfilesData.DICTIONARY, "dictionary", PROFILES_DICTIONARY);

  private final String name;
  private final List<@Nullable Field> byNumber = new ArrayList<>();
  private final Map<String, Field> byJsonName = new HashMap<>();

  private Schema(String name) {
    this.name = name;
  }

  private Schema one(int number, String field, Kind kind) {
    return add(new Field(number, field, kind, false, null));
  }

  private Schema one(int number, String field, Schema message) {
    return add(new Field(number, field, Kind.MESSAGE, false, message));
  }

  private Schema many(int number, String field, Kind kind) {
    return add(new Field(number, field, kind, true, null));
  }

  private Schema many(int number, String field, Schema message) {
    return add(new Field(number, field, Kind.MESSAGE, true, message));
  }

  private Schema add(Field field) {
    while (byNumber.size() <= field.number) {
      byNumber.add(null);
    }
    byNumber.set(field.number, field);
    byJsonName.put(field.jsonName, field);
    return this;
  }

  /** The message's name in the .proto file. */
  public String name() {
    return name;
  }

  public @Nullable Field field(int number) {
    return number < byNumber.size() ? byNumber.get(number) : null;
  }

  public @Nullable Field field(String jsonName) {
    return byJsonName.get(jsonName);
  }

  /** How many fields there are. */
  public int size() {
    return byJsonName.size();
  }
}
