package org.buftrail.jfr;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** What recordings held and what became of it, by event type. Belongs to one thread. */
public final class Stats {
  private final Map<String, Row> rows = new TreeMap<>();
  private long bytes;
  private int chunks;
  private long start;
  private long end;

  /** One event type. */
  public static final class Row {
    private final String event;
    private long found;
    private long converted;
    private long bytes;
    private String why = "";

    private Row(String event) {
      this.event = event;
    }

    /** Name of the event type. */
    public String event() {
      return event;
    }

    /** How many events there were. */
    public long found() {
      return found;
    }

    /** How many of them are in the profiles. */
    public long converted() {
      return converted;
    }

    /** How many were passed over: of a type that is not converted, or outside the time range. */
    public long skipped() {
      return found - converted;
    }

    /** Why some were passed over, in a few words; empty if none was. */
    public String why() {
      return why;
    }

    /** Their length in the recording, in bytes. */
    public long bytes() {
      return bytes;
    }
  }

  Stats() {}

  void add(String event, long found, long converted, long eventBytes) {
    Row row = row(event);
    row.found += found;
    row.converted += converted;
    row.bytes += eventBytes;
  }

  void skipped(String event, String why) {
    row(event).why = why;
  }

  private Row row(String event) {
    Row row = rows.get(event);
    if (row == null) {
      row = new Row(event);
      rows.put(event, row);
    }
    return row;
  }

  void range(long from, long to) {
    start = from;
    end = Math.max(from, to);
  }

  void addChunk(long chunkBytes) {
    chunks++;
    bytes += chunkBytes;
  }

  /** The event types that occurred, by name. */
  public List<Row> rows() {
    return Collections.unmodifiableList(new ArrayList<>(rows.values()));
  }

  /** Length of all recordings in bytes. */
  public long bytes() {
    return bytes;
  }

  /** When the recordings began, in nanoseconds since the epoch. */
  public long start() {
    return chunks == 0 ? 0 : start;
  }

  /** How long after that they ended, in nanoseconds. */
  public long duration() {
    return chunks == 0 ? 0 : end - start;
  }

  /** Number of chunks. */
  public int chunks() {
    return chunks;
  }
}
