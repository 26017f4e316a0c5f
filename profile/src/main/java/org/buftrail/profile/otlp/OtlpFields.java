package org.buftrail.profile.otlp;

/** Field numbers, named after message and field of the .proto files. */
final class OtlpFields {
  private OtlpFields() {}

  /** Also {@code ExportProfilesServiceRequest}, which has the same fields. */
  static final class ProfilesData {
    static final int RESOURCE_PROFILES = 1;
    static final int DICTIONARY = 2;

    private ProfilesData() {}
  }

  static final class ResourceProfiles {
    static final int RESOURCE = 1;
    static final int SCOPE_PROFILES = 2;
    static final int SCHEMA_URL = 3;

    private ResourceProfiles() {}
  }

  static final class ScopeProfiles {
    static final int SCOPE = 1;
    static final int PROFILES = 2;
    static final int SCHEMA_URL = 3;

    private ScopeProfiles() {}
  }

  static final class ProfilesDictionary {
    static final int MAPPING_TABLE = 1;
    static final int LOCATION_TABLE = 2;
    static final int FUNCTION_TABLE = 3;
    static final int LINK_TABLE = 4;
    static final int STRING_TABLE = 5;
    static final int ATTRIBUTE_TABLE = 6;
    static final int STACK_TABLE = 7;

    private ProfilesDictionary() {}
  }

  static final class Profile {
    static final int SAMPLE_TYPE = 1;
    static final int SAMPLES = 2;
    static final int TIME_UNIX_NANO = 3;
    static final int DURATION_NANO = 4;
    static final int PERIOD_TYPE = 5;
    static final int PERIOD = 6;
    static final int PROFILE_ID = 7;
    static final int DROPPED_ATTRIBUTES_COUNT = 8;
    static final int ORIGINAL_PAYLOAD_FORMAT = 9;
    static final int ORIGINAL_PAYLOAD = 10;
    static final int ATTRIBUTE_INDICES = 11;

    private Profile() {}
  }

  static final class ValueType {
    static final int TYPE_STRINDEX = 1;
    static final int UNIT_STRINDEX = 2;

    private ValueType() {}
  }

  static final class Sample {
    static final int STACK_INDEX = 1;
    static final int ATTRIBUTE_INDICES = 2;
    static final int LINK_INDEX = 3;
    static final int VALUES = 4;
    static final int TIMESTAMPS_UNIX_NANO = 5;

    private Sample() {}
  }

  static final class Mapping {
    static final int MEMORY_START = 1;
    static final int MEMORY_LIMIT = 2;
    static final int FILE_OFFSET = 3;
    static final int FILENAME_STRINDEX = 4;
    static final int ATTRIBUTE_INDICES = 5;

    private Mapping() {}
  }

  static final class Stack {
    static final int LOCATION_INDICES = 1;

    private Stack() {}
  }

  static final class Location {
    static final int MAPPING_INDEX = 1;
    static final int ADDRESS = 2;
    static final int LINES = 3;
    static final int ATTRIBUTE_INDICES = 4;

    private Location() {}
  }

  static final class Line {
    static final int FUNCTION_INDEX = 1;
    static final int LINE = 2;
    static final int COLUMN = 3;

    private Line() {}
  }

  static final class Function {
    static final int NAME_STRINDEX = 1;
    static final int SYSTEM_NAME_STRINDEX = 2;
    static final int FILENAME_STRINDEX = 3;
    static final int START_LINE = 4;

    private Function() {}
  }

  static final class Link {
    static final int TRACE_ID = 1;
    static final int SPAN_ID = 2;

    private Link() {}
  }

  static final class KeyValueAndUnit {
    static final int KEY_STRINDEX = 1;
    static final int VALUE = 2;
    static final int UNIT_STRINDEX = 3;

    private KeyValueAndUnit() {}
  }

  static final class AnyValue {
    static final int STRING_VALUE = 1;
    static final int BOOL_VALUE = 2;
    static final int INT_VALUE = 3;
    static final int DOUBLE_VALUE = 4;
    static final int ARRAY_VALUE = 5;
    static final int KVLIST_VALUE = 6;
    static final int BYTES_VALUE = 7;
    static final int STRING_VALUE_STRINDEX = 8;

    private AnyValue() {}
  }

  static final class ArrayValue {
    static final int VALUES = 1;

    private ArrayValue() {}
  }

  static final class KeyValueList {
    static final int VALUES = 1;

    private KeyValueList() {}
  }

  static final class KeyValue {
    static final int KEY = 1;
    static final int VALUE = 2;
    static final int KEY_STRINDEX = 3;

    private KeyValue() {}
  }

  static final class Resource {
    static final int ATTRIBUTES = 1;
    static final int DROPPED_ATTRIBUTES_COUNT = 2;
    static final int ENTITY_REFS = 3;

    private Resource() {}
  }

  static final class EntityRef {
    static final int SCHEMA_URL = 1;
    static final int TYPE = 2;
    static final int ID_KEYS = 3;
    static final int DESCRIPTION_KEYS = 4;

    private EntityRef() {}
  }

  static final class InstrumentationScope {
    static final int NAME = 1;
    static final int VERSION = 2;
    static final int ATTRIBUTES = 3;
    static final int DROPPED_ATTRIBUTES_COUNT = 4;

    private InstrumentationScope() {}
  }
}
