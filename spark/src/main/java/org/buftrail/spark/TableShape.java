package org.buftrail.spark;

import java.util.Locale;
import java.util.Set;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructType;

/**
 * The tables, with the columns that {@code docs/fleet.md} describes. Spark's times are of
 * microseconds, so each has its nanoseconds beside it.
 */
enum TableShape {
  /** A row for each value. */
  SAMPLES(
      process()
          .add("kind", DataTypes.StringType)
          .add("event", DataTypes.StringType)
          .add("time", DataTypes.TimestampNTZType)
          .add("time_nanos", DataTypes.LongType)
          .add("value", DataTypes.LongType)
          .add("unit", DataTypes.StringType)
          .add("second_value", DataTypes.LongType)
          .add("second_unit", DataTypes.StringType)
          .add("thread", DataTypes.StringType)
          .add("state", DataTypes.StringType)
          .add("span", DataTypes.StringType)
          .add("trace", DataTypes.StringType)
          .add("tags", texts())
          .add("stack_id", DataTypes.LongType)
          .add("event_id", DataTypes.LongType)),

  /** A row for each event. */
  EVENTS(
      process()
          .add("event", DataTypes.StringType)
          .add("time", DataTypes.TimestampNTZType)
          .add("time_nanos", DataTypes.LongType)
          .add("duration", DataTypes.LongType)
          .add("thread", DataTypes.StringType)
          .add("stack_id", DataTypes.LongType)
          .add("fields", texts())
          .add("event_id", DataTypes.LongType)
          .add("span", DataTypes.StringType)
          .add("trace", DataTypes.StringType)
          .add("tags", texts())),

  /** A row for each frame of each stack of a recording. */
  FRAMES(
      new StructType()
          .add("recording", DataTypes.StringType)
          .add("stack_id", DataTypes.LongType)
          .add("depth", DataTypes.IntegerType)
          .add("function", DataTypes.StringType)
          .add("file", DataTypes.StringType)
          .add("line", DataTypes.LongType)
          .add("type", DataTypes.StringType)
          .add("module", DataTypes.StringType)),

  /** A row for each stack of a recording. */
  STACKS(
      new StructType()
          .add("recording", DataTypes.StringType)
          .add("stack_id", DataTypes.LongType)
          .add("frames", DataTypes.createArrayType(frame())));

  /** The column that says what could not be read. */
  static final String CORRUPT = "_corrupt";

  /** Never changed, which is more than the checker can see. */
  @SuppressWarnings("ImmutableEnumChecker")
  private final StructType schema;

  TableShape(StructType columns) {
    schema = columns.add(CORRUPT, DataTypes.StringType);
  }

  private static StructType process() {
    return new StructType()
        .add("recording", DataTypes.StringType)
        .add("service", DataTypes.StringType)
        .add("host", DataTypes.StringType)
        .add("process", DataTypes.LongType);
  }

  private static StructType frame() {
    return new StructType()
        .add("function", DataTypes.StringType)
        .add("file", DataTypes.StringType)
        .add("line", DataTypes.LongType)
        .add("type", DataTypes.StringType)
        .add("module", DataTypes.StringType);
  }

  private static DataType texts() {
    return DataTypes.createMapType(DataTypes.StringType, DataTypes.StringType);
  }

  String title() {
    return name().toLowerCase(Locale.ROOT);
  }

  StructType schema() {
    return schema;
  }

  /** The names of its columns, in lower case, as they are. */
  Set<String> names() {
    return Set.of(schema.fieldNames());
  }

  /** Whether rows are of stacks. */
  boolean isOfStacks() {
    return this == FRAMES || this == STACKS;
  }
}
