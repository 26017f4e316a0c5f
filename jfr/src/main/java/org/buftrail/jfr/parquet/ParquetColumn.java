package org.buftrail.jfr.parquet;

/** A column of a Parquet file. All columns may be null. */
public record ParquetColumn(String name, Type type) {
  /** The type of a column's values. */
  public enum Type {
    /** A text in UTF-8. */
    TEXT,
    /** An integer of 64 bits. */
    LONG,
    /** An integer of 32 bits. */
    INT,
    /** A moment in microseconds since the epoch, of no time zone. */
    MICROS,
    /** A moment in nanoseconds since the epoch, as an integer of 64 bits. */
    NANOS,
    /** A map of texts to texts. */
    TEXTS
  }

  /** Whether its values are moments, which mostly differ. */
  boolean isOfTimes() {
    return type == Type.MICROS || type == Type.NANOS;
  }
}
