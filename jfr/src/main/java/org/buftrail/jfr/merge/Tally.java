package org.buftrail.jfr.merge;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Map;
import java.util.TreeMap;

/** What recordings held and what became of it, by event type. Belongs to one thread. */
public final class Tally {
  private final Map<String, Row> rows = new TreeMap<>();
  private long bytes;
  private int chunks;
  private long start;
  private long end;

  /**
   * One event type.
   *
   * @param event its name
   * @param found how many events there were
   * @param converted how many of them are in the profiles
   * @param bytes their length in the recording
   * @param why why some were passed over, in a few words; empty if none was
   */
  public record Row(String event, long found, long converted, long bytes, String why) {}

  void add(String event, long found, long converted, long eventBytes, String why) {
    Row row = rows.getOrDefault(event, new Row(event, 0, 0, 0, ""));
    rows.put(
        event,
        new Row(
            event,
            row.found + found,
            row.converted + converted,
            row.bytes + eventBytes,
            why.isEmpty() ? row.why : why));
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
  public Collection<Row> rows() {
    return new ArrayList<>(rows.values());
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
