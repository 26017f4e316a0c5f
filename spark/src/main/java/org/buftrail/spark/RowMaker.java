package org.buftrail.spark;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.expressions.GenericInternalRow;
import org.apache.spark.sql.catalyst.util.ArrayBasedMapData;
import org.apache.spark.sql.catalyst.util.GenericArrayData;
import org.apache.spark.sql.catalyst.util.MapData;
import org.apache.spark.unsafe.types.UTF8String;
import org.buftrail.jfr.rows.SampleBatch;
import org.buftrail.jfr.rows.SampleBatchTaker;
import org.buftrail.jfr.rows.StackFrame;
import org.jspecify.annotations.Nullable;

/** Makes rows of Spark, with those columns that are asked for, and keeps them until they are. */
final class RowMaker implements SampleBatchTaker {
  /** Texts that are kept, as Spark has them. */
  private static final int MOST_TEXTS = 10_000;

  private final TableShape shape;
  private final @Nullable Set<String> services;
  private final String[] columns;
  private final List<String> directories;

  /** The values of the partition columns, in their order. */
  private List<@Nullable Object> values = List.of();

  private final Deque<InternalRow> rows = new ArrayDeque<>();
  private final Set<Long> stacks = new HashSet<>();
  private final Map<String, UTF8String> texts = new HashMap<>();
  private final IdentityHashMap<Map<String, String>, MapData> maps = new IdentityHashMap<>();
  private String recording = "";

  RowMaker(Question question) {
    shape = question.shape();
    services = question.limits().services();
    columns = question.columns().fieldNames();
    directories = question.directories();
  }

  /** From now on rows are of that recording. */
  void begin(RecordingSlice slice) {
    values = slice.directories();
  }

  private @Nullable Object ofDirectory(String column) {
    int at = directories.indexOf(column);
    return at < 0 ? null : values.get(at);
  }

  /** The next row; null if there is none at hand. */
  @Nullable InternalRow poll() {
    return rows.poll();
  }

  @Override
  public void take(SampleBatch batch) {
    if (services != null && !services.contains(String.valueOf(batch.service()))) {
      return;
    }
    if (!batch.recording().equals(recording)) {
      recording = batch.recording();
      stacks.clear();
    }
    if (texts.size() > MOST_TEXTS) {
      texts.clear();
    }
    maps.clear();
    for (int row = 0; row < batch.size(); row++) {
      if (shape.isOfStacks()) {
        addStack(batch, row);
      } else if (batch.isOther(row) == (shape == TableShape.EVENTS)) {
        Object[] values = new Object[columns.length];
        for (int i = 0; i < columns.length; i++) {
          values[i] = value(columns[i], batch, row);
        }
        rows.add(new GenericInternalRow(values));
      }
    }
  }

  /** Adds a row that says what is wrong with a recording. */
  void addCorrupt(String file, String what) {
    Object[] values = new Object[columns.length];
    for (int i = 0; i < columns.length; i++) {
      if (columns[i].equals("recording")) {
        values[i] = UTF8String.fromString(file);
      } else if (columns[i].equals(TableShape.CORRUPT)) {
        values[i] = UTF8String.fromString(what);
      } else {
        values[i] = ofDirectory(columns[i]);
      }
    }
    rows.add(new GenericInternalRow(values));
  }

  private @Nullable Object value(String column, SampleBatch batch, int row) {
    return switch (column) {
      case "recording" -> text(batch.recording());
      case "service" -> text(batch.service());
      case "host" -> text(batch.host());
      case "process" -> batch.process() == 0 ? null : batch.process();
      case "kind" -> text(batch.kind(row));
      case "event" -> text(batch.isOther(row) ? batch.kind(row) : batch.event(row));
      case "time" -> Math.floorDiv(batch.time(row), 1_000L);
      case "time_nanos" -> batch.time(row);
      case "value" -> batch.value(row);
      case "unit" -> text(batch.unit(row));
      case "second_value" -> batch.hasSecond(row) ? batch.second(row) : null;
      case "second_unit" -> text(batch.secondUnit(row));
      case "duration" -> batch.hasSecond(row) ? batch.second(row) : null;
      case "event_id" -> batch.eventId(row) == 0 ? null : batch.eventId(row);
      default -> context(column, batch, row);
    };
  }

  private @Nullable Object context(String column, SampleBatch batch, int row) {
    return switch (column) {
      case "thread" -> text(batch.thread(row));
      case "state" -> text(batch.state(row));
      case "span" -> text(batch.span(row));
      case "trace" -> text(batch.trace(row));
      case "tags" -> map(batch.isOther(row) ? batch.processTags() : batch.tags(row));
      case "fields" -> map(batch.fields(row));
      case "stack_id" -> batch.stackId(row) == 0 ? null : batch.stackId(row);
      default -> ofDirectory(column);
    };
  }

  private void addStack(SampleBatch batch, int row) {
    long stack = batch.stackId(row);
    if (stack == 0 || !stacks.add(stack)) {
      return;
    }
    List<StackFrame> frames = batch.frames(row);
    if (shape == TableShape.STACKS) {
      List<InternalRow> all = new ArrayList<>();
      for (StackFrame frame : frames) {
        Object[] values = {
          text(frame.function()),
          known(frame.file()),
          line(frame),
          known(frame.type()),
          known(frame.module())
        };
        all.add(new GenericInternalRow(values));
      }
      Object array = new GenericArrayData(all.toArray());
      add(column -> column.equals("frames") ? array : ofStack(column, batch, stack));
      return;
    }
    for (int depth = 0; depth < frames.size(); depth++) {
      StackFrame frame = frames.get(depth);
      int at = depth;
      add(column -> column.equals("depth") ? (Integer) at : ofFrame(column, batch, stack, frame));
    }
  }

  /** Says what is in a column. */
  private interface Values {
    @Nullable Object of(String column);
  }

  private void add(Values of) {
    Object[] values = new Object[columns.length];
    for (int i = 0; i < columns.length; i++) {
      values[i] = of.of(columns[i]);
    }
    rows.add(new GenericInternalRow(values));
  }

  private @Nullable Object ofStack(String column, SampleBatch batch, long stack) {
    return switch (column) {
      case "recording" -> text(batch.recording());
      case "stack_id" -> stack;
      default -> ofDirectory(column);
    };
  }

  private @Nullable Object ofFrame(String column, SampleBatch batch, long stack, StackFrame frame) {
    return switch (column) {
      case "function" -> text(frame.function());
      case "file" -> known(frame.file());
      case "line" -> line(frame);
      case "type" -> known(frame.type());
      case "module" -> known(frame.module());
      default -> ofStack(column, batch, stack);
    };
  }

  private static @Nullable Long line(StackFrame frame) {
    return frame.line() > 0 ? frame.line() : null;
  }

  private @Nullable UTF8String known(String value) {
    return value.isEmpty() ? null : text(value);
  }

  private @Nullable UTF8String text(@Nullable String value) {
    return value == null ? null : texts.computeIfAbsent(value, UTF8String::fromString);
  }

  private MapData map(Map<String, String> values) {
    MapData known = maps.get(values);
    if (known == null) {
      Object[] keys = new Object[values.size()];
      Object[] mapped = new Object[values.size()];
      int i = 0;
      for (Map.Entry<String, String> entry : values.entrySet()) {
        keys[i] = text(entry.getKey());
        mapped[i++] = text(entry.getValue());
      }
      known = new ArrayBasedMapData(new GenericArrayData(keys), new GenericArrayData(mapped));
      maps.put(values, known);
    }
    return known;
  }
}
