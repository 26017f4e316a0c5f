package org.buftrail.jfr;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.buftrail.jfr.merge.Tally;

/** What recordings held and what became of it, by event type. Belongs to one thread. */
public final class Stats {
  private final Tally tally;

  /** One event type. */
  public static final class Row {
    private final Tally.Row row;

    private Row(Tally.Row row) {
      this.row = row;
    }

    /** Name of the event type. */
    public String event() {
      return row.event();
    }

    /** How many events there were. */
    public long found() {
      return row.found();
    }

    /** How many of them are in the profiles. */
    public long converted() {
      return row.converted();
    }

    /** How many were passed over: of a type that is not converted, or outside the time range. */
    public long skipped() {
      return found() - converted();
    }

    /** Why some were passed over, in a few words; empty if none was. */
    public String why() {
      return row.why();
    }

    /** Their length in the recording, in bytes. */
    public long bytes() {
      return row.bytes();
    }
  }

  Stats(Tally tally) {
    this.tally = tally;
  }

  /** The event types that occurred, by name. */
  public List<Row> rows() {
    List<Row> rows = new ArrayList<>();
    for (Tally.Row row : tally.rows()) {
      rows.add(new Row(row));
    }
    return Collections.unmodifiableList(rows);
  }

  /** Length of all recordings in bytes. */
  public long bytes() {
    return tally.bytes();
  }

  /** When the recordings began, in nanoseconds since the epoch. */
  public long start() {
    return tally.start();
  }

  /** How long after that they ended, in nanoseconds. */
  public long duration() {
    return tally.duration();
  }

  /** Number of chunks. */
  public int chunks() {
    return tally.chunks();
  }
}
