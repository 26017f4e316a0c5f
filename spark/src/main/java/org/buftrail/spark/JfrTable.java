package org.buftrail.spark;

import java.util.EnumSet;
import java.util.Locale;
import java.util.Set;
import org.apache.spark.sql.connector.catalog.SupportsRead;
import org.apache.spark.sql.connector.catalog.SupportsWrite;
import org.apache.spark.sql.connector.catalog.Table;
import org.apache.spark.sql.connector.catalog.TableCapability;
import org.apache.spark.sql.connector.read.ScanBuilder;
import org.apache.spark.sql.connector.write.LogicalWriteInfo;
import org.apache.spark.sql.connector.write.WriteBuilder;
import org.apache.spark.sql.types.StructType;
import org.apache.spark.sql.util.CaseInsensitiveStringMap;

/** One table of the recordings below a path. */
final class JfrTable implements Table, SupportsRead, SupportsWrite {
  private final TableShape shape;

  JfrTable(TableShape shape) {
    this.shape = shape;
  }

  /** The table that an option names; {@code samples} if none does. */
  static TableShape of(CaseInsensitiveStringMap options) {
    String name = options.getOrDefault(SourceOptions.TABLE, TableShape.SAMPLES.title());
    for (TableShape shape : TableShape.values()) {
      if (shape.title().equals(name.toLowerCase(Locale.ROOT))) {
        return shape;
      }
    }
    throw new IllegalArgumentException(
        "option table: \"" + name + "\" is none of samples, events, frames, stacks");
  }

  @Override
  public String name() {
    return "jfr " + shape.title();
  }

  @Override
  @SuppressWarnings("deprecation") // The method in its place is of another type of column.
  public StructType schema() {
    return shape.schema();
  }

  @Override
  public Set<TableCapability> capabilities() {
    // The last three for an error that says what is wrong, which Spark's own does not.
    return EnumSet.of(
        TableCapability.BATCH_READ,
        TableCapability.BATCH_WRITE,
        TableCapability.TRUNCATE,
        TableCapability.ACCEPT_ANY_SCHEMA);
  }

  @Override
  public ScanBuilder newScanBuilder(CaseInsensitiveStringMap options) {
    return new JfrScan(shape, options);
  }

  @Override
  public WriteBuilder newWriteBuilder(LogicalWriteInfo info) {
    throw new UnsupportedOperationException(
        "format jfr is read and not written: recordings are made by JVMs; write.parquet(path)"
            + " keeps rows");
  }
}
