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

  /** One event type. */
  public static final class Row {
    private final String event;
    private long found;
    private long converted;
    private long bytes;

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

    /** Their length in the recording, in bytes. */
    public long bytes() {
      return bytes;
    }
  }

  Stats() {}

  void add(String event, long found, long converted, long eventBytes) {
    Row row = rows.computeIfAbsent(event, Row::new);
    row.found += found;
    row.converted += converted;
    row.bytes += eventBytes;
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

  /** Number of chunks. */
  public int chunks() {
    return chunks;
  }
}
