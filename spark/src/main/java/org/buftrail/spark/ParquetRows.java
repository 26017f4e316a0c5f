package org.buftrail.spark;

import static org.apache.parquet.schema.LogicalTypeAnnotation.intType;
import static org.apache.parquet.schema.LogicalTypeAnnotation.stringType;
import static org.apache.parquet.schema.LogicalTypeAnnotation.timestampType;

import java.io.IOException;
import java.util.Map;
import java.util.Objects;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.parquet.hadoop.ParquetWriter;
import org.apache.parquet.hadoop.api.WriteSupport;
import org.apache.parquet.hadoop.metadata.CompressionCodecName;
import org.apache.parquet.hadoop.util.HadoopOutputFile;
import org.apache.parquet.io.api.Binary;
import org.apache.parquet.io.api.RecordConsumer;
import org.apache.parquet.schema.LogicalTypeAnnotation.TimeUnit;
import org.apache.parquet.schema.MessageType;
import org.apache.parquet.schema.PrimitiveType.PrimitiveTypeName;
import org.apache.parquet.schema.Type;
import org.apache.parquet.schema.Types;
import org.buftrail.jfr.dataset.DatasetLayout;
import org.jspecify.annotations.Nullable;

/**
 * Writes rows as {@code buftrail convert --format parquet} does, times in nanoseconds, which
 * Spark's own writer does not have. A row is an array with a {@link Long}, {@link Integer}, {@link
 * String} or {@link Map} of strings for each column, or null.
 */
final class ParquetRows extends WriteSupport<@Nullable Object[]> {
  /** The columns of {@code samples} that are not in a directory's name. */
  static final MessageType SAMPLES =
      Types.buildMessage()
          .addField(text("recording"))
          .addField(text("host"))
          .addField(number("process"))
          .addField(text("event"))
          .addField(time())
          .addField(number("value"))
          .addField(text("unit"))
          .addField(number("second_value"))
          .addField(text("second_unit"))
          .addField(text("thread"))
          .addField(text("state"))
          .addField(text("span"))
          .addField(text("trace"))
          .addField(texts("tags"))
          .addField(number("stack_id"))
          .named(DatasetLayout.SAMPLES);

  /** The columns of {@code events} that are not in a directory's name. */
  static final MessageType EVENTS =
      Types.buildMessage()
          .addField(text("recording"))
          .addField(text("host"))
          .addField(number("process"))
          .addField(text("event"))
          .addField(time())
          .addField(number("duration"))
          .addField(text("thread"))
          .addField(number("stack_id"))
          .addField(texts("fields"))
          .named(DatasetLayout.EVENTS);

  static final MessageType FRAMES =
      Types.buildMessage()
          .addField(number("stack_id"))
          .addField(Types.optional(PrimitiveTypeName.INT32).as(intType(32, true)).named("depth"))
          .addField(text("function"))
          .addField(text("file"))
          .addField(number("line"))
          .addField(text("type"))
          .addField(text("module"))
          .named(DatasetLayout.FRAMES);

  /**
   * Rows of a file that are in memory at a time take so many bytes: many files are open at once.
   */
  private static final int ROW_GROUP = 16 << 20;

  private final MessageType schema;
  private @Nullable RecordConsumer consumer;

  private ParquetRows(MessageType schema) {
    this.schema = schema;
  }

  private static Type text(String name) {
    return Types.optional(PrimitiveTypeName.BINARY).as(stringType()).named(name);
  }

  private static Type number(String name) {
    return Types.optional(PrimitiveTypeName.INT64).as(intType(64, true)).named(name);
  }

  private static Type time() {
    return Types.optional(PrimitiveTypeName.INT64)
        .as(timestampType(false, TimeUnit.NANOS))
        .named("time");
  }

  private static Type texts(String name) {
    return Types.optionalMap()
        .key(Types.required(PrimitiveTypeName.BINARY).as(stringType()).named("key"))
        .value(Types.optional(PrimitiveTypeName.BINARY).as(stringType()).named("value"))
        .named(name);
  }

  /** Opens a file. */
  static ParquetWriter<@Nullable Object[]> open(
      Path file, MessageType schema, Configuration configuration) throws IOException {
    return new Builder(HadoopOutputFile.fromPath(file, configuration), schema)
        .withConf(configuration)
        .withCompressionCodec(CompressionCodecName.ZSTD)
        .withRowGroupSize((long) ROW_GROUP)
        .build();
  }

  private static final class Builder extends ParquetWriter.Builder<@Nullable Object[], Builder> {
    private final MessageType schema;

    Builder(HadoopOutputFile file, MessageType schema) {
      super(file);
      this.schema = schema;
    }

    @Override
    protected Builder self() {
      return this;
    }

    @Override
    @SuppressWarnings("deprecation") // Abstract, and what Parquet calls.
    protected WriteSupport<@Nullable Object[]> getWriteSupport(Configuration configuration) {
      return new ParquetRows(schema);
    }
  }

  @Override
  @SuppressWarnings("deprecation") // Abstract, and what Parquet calls.
  public WriteContext init(Configuration configuration) {
    return new WriteContext(schema, Map.of());
  }

  @Override
  public void prepareForWrite(RecordConsumer recordConsumer) {
    consumer = recordConsumer;
  }

  @Override
  public void write(@Nullable Object[] row) {
    RecordConsumer out = Objects.requireNonNull(consumer);
    out.startMessage();
    for (int i = 0; i < row.length; i++) {
      Object value = row[i];
      if (value != null) {
        String name = schema.getFieldName(i);
        out.startField(name, i);
        write(out, value);
        out.endField(name, i);
      }
    }
    out.endMessage();
  }

  private static void write(RecordConsumer out, Object value) {
    if (value instanceof Long number) {
      out.addLong(number);
    } else if (value instanceof Integer number) {
      out.addInteger(number);
    } else if (value instanceof Map<?, ?> map) {
      write(out, map);
    } else {
      out.addBinary(Binary.fromString(value.toString()));
    }
  }

  private static void write(RecordConsumer out, Map<?, ?> map) {
    out.startGroup();
    if (!map.isEmpty()) {
      out.startField("key_value", 0);
      for (Map.Entry<?, ?> entry : map.entrySet()) {
        out.startGroup();
        out.startField("key", 0);
        out.addBinary(Binary.fromString(String.valueOf(entry.getKey())));
        out.endField("key", 0);
        out.startField("value", 1);
        out.addBinary(Binary.fromString(String.valueOf(entry.getValue())));
        out.endField("value", 1);
        out.endGroup();
      }
      out.endField("key_value", 0);
    }
    out.endGroup();
  }
}
