package org.buftrail.jfr.merge;

import java.util.Set;
import org.buftrail.jfr.rows.SampleColumn;
import org.jspecify.annotations.Nullable;

/**
 * Which rows and columns are asked for.
 *
 * @param columns the columns
 * @param kinds names of profiles; null for all
 * @param from the earliest time, in nanoseconds since the epoch
 * @param to the time behind the latest
 * @param others types of events that become no sample; null for all
 */
public record RowFilter(
    Set<SampleColumn> columns,
    @Nullable Set<String> kinds,
    long from,
    long to,
    @Nullable Set<String> others) {
  /**
   * Whether a row is asked for.
   *
   * @param kind null for that of an event that is no sample
   */
  boolean wants(@Nullable String kind, long time) {
    boolean isKind = kind == null || kinds == null || kinds.contains(kind);
    return time >= from && time < to && isKind;
  }
}
