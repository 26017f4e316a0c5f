package org.buftrail.spark;

import java.io.FileNotFoundException;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Objects;
import org.apache.hadoop.conf.Configuration;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.connector.read.PartitionReader;
import org.buftrail.jfr.RecordingException;
import org.buftrail.jfr.RowCursor;
import org.buftrail.jfr.RowReader;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The rows of one task: recordings one after the other, of each one chunk at a time in memory. */
final class JfrRows implements PartitionReader<InternalRow> {
  private static final Logger LOG = LoggerFactory.getLogger(JfrRows.class);

  private final Deque<RecordingSlice> slices;
  private final DamageMode mode;
  private final int most;
  private final OpenedRecordings recordings;
  private final RowMaker maker;
  private final RowReader reader;
  private @Nullable RowCursor cursor;
  private @Nullable RecordingSlice slice;
  private @Nullable InternalRow row;
  private int given;

  JfrRows(Question question, List<RecordingSlice> slices, Configuration configuration) {
    this.slices = new ArrayDeque<>(slices);
    mode = question.mode();
    most = question.most();
    recordings = new OpenedRecordings(configuration);
    maker = new RowMaker(question);
    // All of a task are whole, or there is one.
    reader = new RowReader(question.selection(), slices.get(0).range(), maker);
  }

  @Override
  public boolean next() throws IOException {
    if (given == most) {
      return false;
    }
    given++;
    row = maker.poll();
    while (row == null && (cursor != null || !slices.isEmpty())) {
      read();
      row = maker.poll();
    }
    return row != null;
  }

  @Override
  public InternalRow get() {
    return Objects.requireNonNull(row);
  }

  /** Reads another chunk, or begins with another recording. */
  private void read() throws IOException {
    RowCursor opened = cursor;
    RecordingSlice at = slice;
    if (opened == null || at == null) {
      at = slices.remove();
      slice = at;
      maker.begin(at);
    }
    List<String> damages = new ArrayList<>();
    try {
      if (opened == null) {
        cursor = recordings.open(reader, at);
        return;
      }
      if (opened.next()) {
        return;
      }
      opened.damages().stream().filter(at::tells).forEach(damage -> damages.add(damage.text()));
    } catch (RecordingException e) {
      if (!e.isOfRecording()) {
        throw new IOException(e.getMessage(), e);
      }
      addOfFile(at, e.reason(), damages);
    } catch (FileNotFoundException e) {
      // Some systems open a file when it is read. Any other failure is the system's: Spark tries
      // again.
      addOfFile(at, "no such file", damages);
    }
    end();
    if (!damages.isEmpty()) {
      damaged(OpenedRecordings.name(at.path()), String.join("; ", damages));
    }
  }

  private static void addOfFile(RecordingSlice at, String what, List<String> damages) {
    if (at.tellsOfFile()) {
      damages.add(what);
    }
  }

  private void damaged(String name, String what) throws IOException {
    switch (mode) {
      case PERMISSIVE -> maker.addCorrupt(name, what);
      case DROPMALFORMED -> LOG.warn("{}: {}", name, what);
      case FAILFAST -> throw new IOException(name + ": " + what);
    }
  }

  private void end() throws IOException {
    RowCursor opened = cursor;
    cursor = null;
    slice = null;
    if (opened != null) {
      opened.close();
    }
    recordings.forget();
  }

  @Override
  public void close() throws IOException {
    slices.clear();
    end();
  }
}
