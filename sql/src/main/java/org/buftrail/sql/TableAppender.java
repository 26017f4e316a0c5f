package org.buftrail.sql;

import java.sql.SQLException;
import java.util.List;
import java.util.Set;
import org.buftrail.jfr.dataset.DatasetLayout;
import org.buftrail.jfr.rows.SampleBatch;
import org.buftrail.jfr.rows.SampleBatchTaker;
import org.buftrail.jfr.rows.SampleColumn;
import org.buftrail.jfr.rows.StackFrame;
import org.duckdb.DuckDBAppender;
import org.duckdb.DuckDBConnection;
import org.jspecify.annotations.Nullable;

/** Adds rows to the tables, those columns that are needed. Belongs to one thread. */
final class TableAppender implements SampleBatchTaker, AutoCloseable {
  private final Needs needs;
  private final Set<Long> known;
  private final DuckDBConnection connection;
  private final DuckDBAppender samples;
  private final DuckDBAppender events;
  private final DuckDBAppender frames;

  /** Ends a reader whose rows the database does not take. */
  static final class NotTaken extends RuntimeException {
    private static final long serialVersionUID = 1L;

    NotTaken(SQLException cause) {
      super(cause);
    }
  }

  /**
   * @param connection closed with this
   * @param known the ids of stacks whose frames are in the table; thread-safe
   */
  TableAppender(DuckDBConnection connection, Needs needs, Set<Long> known) throws SQLException {
    this.connection = connection;
    this.needs = needs;
    this.known = known;
    samples = connection.createAppender("main", DatasetLayout.SAMPLES);
    events = connection.createAppender("main", DatasetLayout.EVENTS);
    frames = connection.createAppender("main", DatasetLayout.FRAMES);
  }

  @Override
  public void take(SampleBatch batch) {
    try {
      for (int row = 0; row < batch.size(); row++) {
        if (batch.isOther(row)) {
          addEvent(batch, row);
        } else if (needs.samples()) {
          add(batch, row);
        }
        if (needs.frames()) {
          addFrames(batch, row);
        }
      }
    } catch (SQLException e) {
      throw new NotTaken(e);
    }
  }

  private void add(SampleBatch batch, int row) throws SQLException {
    samples.beginRow();
    text(SampleColumn.RECORDING, batch.recording());
    text(SampleColumn.SERVICE, batch.service());
    text(SampleColumn.HOST, batch.host());
    number(SampleColumn.PROCESS, batch.process() != 0, batch.process());
    text(SampleColumn.KIND, batch.kind(row));
    text(SampleColumn.EVENT, batch.event(row));
    if (has(SampleColumn.TIME)) {
      samples.appendEpochNanos(batch.time(row));
    } else {
      samples.appendNull();
    }
    number(SampleColumn.VALUE, true, batch.value(row));
    text(SampleColumn.UNIT, batch.unit(row));
    number(SampleColumn.SECOND_VALUE, batch.hasSecond(row), batch.second(row));
    text(SampleColumn.SECOND_UNIT, batch.secondUnit(row));
    addContext(batch, row);
    samples.endRow();
  }

  private void addContext(SampleBatch batch, int row) throws SQLException {
    text(SampleColumn.THREAD, has(SampleColumn.THREAD) ? batch.thread(row) : null);
    text(SampleColumn.STATE, has(SampleColumn.STATE) ? batch.state(row) : null);
    text(SampleColumn.SPAN, has(SampleColumn.SPAN) ? batch.span(row) : null);
    text(SampleColumn.TRACE, has(SampleColumn.TRACE) ? batch.trace(row) : null);
    if (has(SampleColumn.TAGS)) {
      samples.append(batch.tags(row));
    } else {
      samples.appendNull();
    }
    long stack = has(SampleColumn.STACK_ID) ? batch.stackId(row) : 0;
    number(SampleColumn.STACK_ID, stack != 0, stack);
    number(SampleColumn.EVENT_ID, batch.eventId(row) != 0, batch.eventId(row));
  }

  private void addEvent(SampleBatch batch, int row) throws SQLException {
    events.beginRow();
    events.append(batch.recording());
    append(events, batch.service());
    append(events, batch.host());
    append(events, batch.process() != 0, batch.process());
    events.append(batch.kind(row));
    events.appendEpochNanos(batch.time(row));
    append(events, batch.hasSecond(row), batch.second(row));
    append(events, batch.thread(row));
    long stack = has(SampleColumn.STACK_ID) ? batch.stackId(row) : 0;
    append(events, stack != 0, stack);
    events.append(batch.fields(row));
    append(events, batch.eventId(row) != 0, batch.eventId(row));
    append(events, batch.span(row));
    append(events, batch.trace(row));
    events.append(batch.processTags());
    events.endRow();
  }

  private void addFrames(SampleBatch batch, int row) throws SQLException {
    long stack = batch.stackId(row);
    if (stack == 0 || !known.add(stack)) {
      return;
    }
    List<StackFrame> all = batch.frames(row);
    for (int depth = 0; depth < all.size(); depth++) {
      StackFrame frame = all.get(depth);
      frames.beginRow();
      frames.append(stack);
      frames.append(depth);
      frames.append(frame.function());
      append(frames, frame.file().isEmpty() ? null : frame.file());
      append(frames, frame.line() > 0, frame.line());
      append(frames, frame.type().isEmpty() ? null : frame.type());
      append(frames, frame.module().isEmpty() ? null : frame.module());
      frames.endRow();
    }
  }

  private boolean has(SampleColumn column) {
    return needs.columns().contains(column);
  }

  private void text(SampleColumn column, @Nullable String value) throws SQLException {
    append(samples, has(column) ? value : null);
  }

  private void number(SampleColumn column, boolean isKnown, long value) throws SQLException {
    append(samples, isKnown && has(column), value);
  }

  private static void append(DuckDBAppender to, @Nullable String value) throws SQLException {
    if (value == null) {
      to.appendNull();
    } else {
      to.append(value);
    }
  }

  private static void append(DuckDBAppender to, boolean isKnown, long value) throws SQLException {
    if (isKnown) {
      to.append(value);
    } else {
      to.appendNull();
    }
  }

  @Override
  public void close() throws SQLException {
    try (connection;
        frames;
        events;
        samples) {
      samples.flush();
      events.flush();
      frames.flush();
    }
  }
}
