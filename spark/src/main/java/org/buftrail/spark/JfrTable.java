package org.buftrail.spark;

import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.apache.spark.sql.connector.catalog.SupportsRead;
import org.apache.spark.sql.connector.catalog.Table;
import org.apache.spark.sql.connector.catalog.TableCapability;
import org.apache.spark.sql.connector.read.ScanBuilder;
import org.apache.spark.sql.internal.SQLConf;
import org.apache.spark.sql.types.StructField;
import org.apache.spark.sql.types.StructType;
import org.apache.spark.sql.util.CaseInsensitiveStringMap;

/** One table of the recordings below a path. */
final class JfrTable implements Table, SupportsRead {
  private final TableShape shape;
  private final DirectoryColumns directories;

  private JfrTable(TableShape shape, DirectoryColumns directories) {
    this.shape = shape;
    this.directories = directories;
  }

  /** A table with the columns that the directories of its recordings stand for. */
  static JfrTable inferred(CaseInsensitiveStringMap options) {
    TableShape shape = shape(options);
    SourceOptions asked = JfrScan.asked(options);
    boolean isTyped = SQLConf.get().partitionColumnTypeInferenceEnabled();
    try {
      List<DirectoryColumns.Found> files =
          asked.hasDirectories()
              ? new RecordingPaths(JfrScan.configuration(options)).of(asked)
              : List.of();
      return new JfrTable(shape, DirectoryColumns.of(files, shape.names(), isTyped));
    } catch (FileNotFoundException e) {
      // A read will say so. For a write, which is refused, Spark asks for the columns too.
      return new JfrTable(shape, new DirectoryColumns(new StructType()));
    } catch (IOException e) {
      throw new UncheckedIOException(e.getMessage(), e);
    }
  }

  /** A table whose columns are known. */
  static JfrTable of(StructType schema, CaseInsensitiveStringMap options) {
    TableShape shape = shape(options);
    StructType directories = new StructType();
    for (StructField field : schema.fields()) {
      if (!shape.names().contains(field.name())) {
        directories = directories.add(field);
      }
    }
    return new JfrTable(shape, new DirectoryColumns(directories));
  }

  /** The one that an option names; {@code samples} if none does. */
  private static TableShape shape(CaseInsensitiveStringMap options) {
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
    StructType all = shape.schema();
    for (StructField field : directories.schema().fields()) {
      all = all.add(field);
    }
    return all;
  }

  @Override
  public Set<TableCapability> capabilities() {
    return EnumSet.of(TableCapability.BATCH_READ);
  }

  @Override
  public ScanBuilder newScanBuilder(CaseInsensitiveStringMap options) {
    return new JfrScan(shape, directories, schema(), options);
  }
}
