package org.buftrail.spark;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.parquet.hadoop.ParquetWriter;
import org.apache.parquet.schema.MessageType;
import org.buftrail.jfr.rows.SampleBatch;
import org.buftrail.jfr.rows.SampleBatchTaker;
import org.buftrail.jfr.rows.StackFrame;
import org.jspecify.annotations.Nullable;

/**
 * Writes the rows of one recording below a directory, in files that are named and laid out as
 * {@code buftrail convert --format parquet} does. Belongs to one thread.
 */
final class DatasetWriter implements SampleBatchTaker, AutoCloseable {
  private static final long NANOS_OF_DAY = 86_400_000_000_000L;

  private final Path directory;
  private final String id;
  private final Configuration configuration;
  private final Map<String, ParquetWriter<@Nullable Object[]>> writers = new TreeMap<>();
  private final Set<Long> stacks = new HashSet<>();
  private long rows;

  DatasetWriter(Path directory, String id, Configuration configuration) {
    this.directory = directory;
    this.id = id;
    this.configuration = configuration;
  }

  /** How many samples and events there were. */
  long rows() {
    return rows;
  }

  /** The files that were written, below the directory. */
  Set<String> files() {
    return writers.keySet();
  }

  @Override
  public void take(SampleBatch batch) {
    try {
      for (int row = 0; row < batch.size(); row++) {
        if (batch.isOther(row)) {
          addEvent(batch, row);
        } else {
          addSample(batch, row);
        }
        addFrames(batch, row);
        rows++;
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private void addSample(SampleBatch batch, int row) throws IOException {
    String file = parts("samples", batch, row) + "/kind=" + escaped(batch.kind(row));
    Object[] values = {
      batch.recording(),
      batch.host(),
      known(batch.process()),
      batch.event(row),
      batch.time(row),
      batch.value(row),
      batch.unit(row),
      batch.hasSecond(row) ? (Long) batch.second(row) : null,
      batch.secondUnit(row),
      batch.thread(row),
      batch.state(row),
      batch.span(row),
      batch.trace(row),
      batch.tags(row),
      known(batch.stackId(row))
    };
    write(file + "/" + id + "-0.parquet", ParquetRows.SAMPLES, values);
  }

  private void addEvent(SampleBatch batch, int row) throws IOException {
    Object[] values = {
      batch.recording(),
      batch.host(),
      known(batch.process()),
      batch.kind(row),
      batch.time(row),
      known(batch.second(row)),
      batch.thread(row),
      known(batch.stackId(row)),
      batch.fields(row)
    };
    write(parts("events", batch, row) + "/" + id + "-0.parquet", ParquetRows.EVENTS, values);
  }

  private void addFrames(SampleBatch batch, int row) throws IOException {
    long stack = batch.stackId(row);
    if (stack == 0 || !stacks.add(stack)) {
      return;
    }
    List<StackFrame> frames = batch.frames(row);
    for (int depth = 0; depth < frames.size(); depth++) {
      StackFrame frame = frames.get(depth);
      Object[] values = {
        stack,
        depth,
        frame.function(),
        known(frame.file()),
        frame.line() > 0 ? (Long) frame.line() : null,
        known(frame.type()),
        known(frame.module())
      };
      write("frames/" + id + ".parquet", ParquetRows.FRAMES, values);
    }
  }

  /** Makes the file of frames if no row has. */
  void finish() throws IOException {
    writer("frames/" + id + ".parquet", ParquetRows.FRAMES);
  }

  private static String parts(String table, SampleBatch batch, int row) {
    LocalDate day =
        LocalDate.ofInstant(
            Instant.ofEpochSecond(
                Math.floorDiv(batch.time(row), NANOS_OF_DAY) * (NANOS_OF_DAY / 1_000_000_000L)),
            ZoneOffset.UTC);
    String service = batch.service();
    return table + "/day=" + day + "/service=" + escaped(service == null ? "unknown" : service);
  }

  private static @Nullable Long known(long value) {
    return value == 0 ? null : value;
  }

  private static @Nullable String known(String value) {
    return value.isEmpty() ? null : value;
  }

  /** A value as a part of a path, as DuckDB writes it. */
  static String escaped(String value) {
    StringBuilder escaped = new StringBuilder();
    for (byte part : value.getBytes(StandardCharsets.UTF_8)) {
      char c = (char) (part & 0xff);
      boolean isPlain =
          (c >= 'a' && c <= 'z')
              || (c >= 'A' && c <= 'Z')
              || (c >= '0' && c <= '9')
              || "-_.~".indexOf(c) >= 0;
      escaped.append(isPlain ? String.valueOf(c) : String.format("%%%02X", (int) c));
    }
    return escaped.toString();
  }

  private void write(String file, MessageType schema, @Nullable Object[] values)
      throws IOException {
    writer(file, schema).write(values);
  }

  private ParquetWriter<@Nullable Object[]> writer(String file, MessageType schema)
      throws IOException {
    ParquetWriter<@Nullable Object[]> writer = writers.get(file);
    if (writer == null) {
      writer = ParquetRows.open(new Path(directory, file), schema, configuration);
      writers.put(file, writer);
    }
    return writer;
  }

  @Override
  public void close() throws IOException {
    IOException failure = null;
    for (ParquetWriter<@Nullable Object[]> writer : writers.values()) {
      try {
        writer.close();
      } catch (IOException e) {
        failure = e;
      }
    }
    if (failure != null) {
      throw failure;
    }
  }
}
