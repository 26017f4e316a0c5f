package org.buftrail.profile.pprof;

/** Field numbers, named after message and field of {@code profile.proto}. */
final class PprofFields {
  private PprofFields() {}

  static final class Profile {
    static final int SAMPLE_TYPE = 1;
    static final int SAMPLE = 2;
    static final int MAPPING = 3;
    static final int LOCATION = 4;
    static final int FUNCTION = 5;
    static final int STRING_TABLE = 6;
    static final int TIME_NANOS = 9;
    static final int DURATION_NANOS = 10;
    static final int PERIOD_TYPE = 11;
    static final int PERIOD = 12;

    private Profile() {}
  }

  static final class ValueType {
    static final int TYPE = 1;
    static final int UNIT = 2;

    private ValueType() {}
  }

  static final class Sample {
    static final int LOCATION_ID = 1;
    static final int VALUE = 2;
    static final int LABEL = 3;

    private Sample() {}
  }

  static final class Label {
    static final int KEY = 1;
    static final int STR = 2;
    static final int NUM = 3;
    static final int NUM_UNIT = 4;

    private Label() {}
  }

  static final class Mapping {
    static final int ID = 1;
    static final int MEMORY_START = 2;
    static final int MEMORY_LIMIT = 3;
    static final int FILE_OFFSET = 4;
    static final int FILENAME = 5;
    static final int BUILD_ID = 6;
    static final int HAS_FUNCTIONS = 7;

    private Mapping() {}
  }

  static final class Location {
    static final int ID = 1;
    static final int MAPPING_ID = 2;
    static final int ADDRESS = 3;
    static final int LINE = 4;

    private Location() {}
  }

  static final class Line {
    static final int FUNCTION_ID = 1;
    static final int LINE = 2;
    static final int COLUMN = 3;

    private Line() {}
  }

  static final class Function {
    static final int ID = 1;
    static final int NAME = 2;
    static final int SYSTEM_NAME = 3;
    static final int FILENAME = 4;
    static final int START_LINE = 5;

    private Function() {}
  }
}
