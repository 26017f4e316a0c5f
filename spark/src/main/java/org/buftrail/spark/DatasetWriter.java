package org.buftrail.spark;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.parquet.hadoop.ParquetWriter;
import org.apache.parquet.schema.MessageType;
import org.buftrail.jfr.dataset.DatasetLayout;
import org.buftrail.jfr.rows.SampleBatch;
import org.buftrail.jfr.rows.SampleBatchTaker;
import org.buftrail.jfr.rows.StackFrame;
import org.jspecify.annotations.Nullable;

/**
 * Writes the rows of one recording below a directory, in files that are named and laid out as
 * {@code buftrail convert --format parquet} does. Belongs to one thread.
 */
final class DatasetWriter implements SampleBatchTaker, AutoCloseable {
  /** So many files are open at a time, beside that of frames; each has rows in memory. */
  private static final int MOST_OPEN = 64;

  private static final long NANOS_OF_DAY = 86_400_000_000_000L;

  private final Path directory;
  private final String id;
  private final Configuration configuration;
  private final int mostOpen;

  /** The open files, by directory; first the one that was used longest ago. */
  private final Map<String, ParquetWriter<@Nullable Object[]>> open =
      new LinkedHashMap<>(16, 0.75f, true);

  /** How many files there are of each directory. */
  private final Map<String, Integer> counts = new HashMap<>();

  private final Set<String> files = new TreeSet<>();
  private @Nullable ParquetWriter<@Nullable Object[]> frames;
  private final Set<Long> stacks = new HashSet<>();
  private long rows;

  DatasetWriter(Path directory, String id, Configuration configuration) {
    this(directory, id, configuration, MOST_OPEN);
  }

  DatasetWriter(Path directory, String id, Configuration configuration, int mostOpen) {
    this.mostOpen = mostOpen;
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
    return files;
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
    String parent = parent(DatasetLayout.SAMPLES, DatasetLayout.SAMPLE_PARTS, batch, row);
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
    writer(parent, ParquetRows.SAMPLES).write(values);
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
    String parent = parent(DatasetLayout.EVENTS, DatasetLayout.EVENT_PARTS, batch, row);
    writer(parent, ParquetRows.EVENTS).write(values);
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
      frames().write(values);
    }
  }

  /**
   * Makes the file of frames if no row has.
   *
   * @throws UncheckedIOException if it cannot be written, as when rows are taken
   */
  void finish() {
    try {
      frames();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** The directory of a row, below that of its table. */
  private static String parent(String table, List<String> parts, SampleBatch batch, int row) {
    StringBuilder parent = new StringBuilder(table);
    for (String part : parts) {
      parent.append('/').append(part).append('=').append(value(part, batch, row));
    }
    return parent.toString();
  }

  private static String value(String part, SampleBatch batch, int row) {
    String service = batch.service();
    return switch (part) {
      case DatasetLayout.DAY ->
          LocalDate.ofEpochDay(Math.floorDiv(batch.time(row), NANOS_OF_DAY)).toString();
      case DatasetLayout.SERVICE -> escaped(service == null ? DatasetLayout.NO_SERVICE : service);
      case DatasetLayout.KIND -> escaped(batch.kind(row));
      default -> throw new IllegalArgumentException(part);
    };
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

  private ParquetWriter<@Nullable Object[]> frames() throws IOException {
    ParquetWriter<@Nullable Object[]> writer = frames;
    if (writer == null) {
      writer = created(DatasetLayout.frames(id), ParquetRows.FRAMES);
      frames = writer;
    }
    return writer;
  }

  /** The file at hand in a directory. A damaged recording may have rows of thousands of days. */
  private ParquetWriter<@Nullable Object[]> writer(String parent, MessageType schema)
      throws IOException {
    ParquetWriter<@Nullable Object[]> writer = open.get(parent);
    if (writer == null) {
      if (open.size() == mostOpen) {
        Iterator<ParquetWriter<@Nullable Object[]>> oldest = open.values().iterator();
        ParquetWriter<@Nullable Object[]> closed = oldest.next();
        oldest.remove();
        closed.close();
      }
      int number = counts.merge(parent, 1, Integer::sum) - 1;
      writer = created(parent + "/" + id + "-" + number + ".parquet", schema);
      open.put(parent, writer);
    }
    return writer;
  }

  private ParquetWriter<@Nullable Object[]> created(String file, MessageType schema)
      throws IOException {
    files.add(file);
    return ParquetRows.open(new Path(directory, file), schema, configuration);
  }

  @Override
  public void close() {
    List<ParquetWriter<@Nullable Object[]>> all = new ArrayList<>(open.values());
    if (frames != null) {
      all.add(frames);
    }
    open.clear();
    frames = null;
    IOException failure = null;
    for (ParquetWriter<@Nullable Object[]> writer : all) {
      try {
        writer.close();
      } catch (IOException e) {
        failure = e;
      }
    }
    if (failure != null) {
      throw new UncheckedIOException(failure);
    }
  }
}
