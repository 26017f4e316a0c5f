package org.buftrail.spark;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileStatus;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.connector.read.Batch;
import org.apache.spark.sql.connector.read.InputPartition;
import org.apache.spark.sql.connector.read.PartitionReaderFactory;
import org.apache.spark.sql.connector.read.Scan;
import org.apache.spark.sql.connector.read.ScanBuilder;
import org.apache.spark.sql.connector.read.Statistics;
import org.apache.spark.sql.connector.read.SupportsPushDownFilters;
import org.apache.spark.sql.connector.read.SupportsPushDownLimit;
import org.apache.spark.sql.connector.read.SupportsPushDownRequiredColumns;
import org.apache.spark.sql.connector.read.SupportsReportStatistics;
import org.apache.spark.sql.internal.SQLConf;
import org.apache.spark.sql.sources.Filter;
import org.apache.spark.sql.types.StructType;
import org.apache.spark.sql.util.CaseInsensitiveStringMap;
import org.apache.spark.util.SerializableConfiguration;

/** A query on one table of recordings: what is pushed down, and which task reads which files. */
final class JfrScan
    implements ScanBuilder,
        Scan,
        Batch,
        SupportsPushDownRequiredColumns,
        SupportsPushDownFilters,
        SupportsPushDownLimit,
        SupportsReportStatistics {
  /** How many times larger rows are than a recording, and than a packed one: rather too many. */
  private static final long GROWTH = 8;

  private static final long PACKED_GROWTH = 80;

  private final TableShape shape;
  private final DirectoryColumns directories;
  private final CaseInsensitiveStringMap options;
  private final SourceOptions asked;
  private StructType columns;
  private RowLimits limits = RowLimits.NONE;
  private Filter[] pushed = new Filter[0];
  private List<Filter> all = List.of();
  private int most = Integer.MAX_VALUE;

  JfrScan(
      TableShape shape,
      DirectoryColumns directories,
      StructType columns,
      CaseInsensitiveStringMap options) {
    this.shape = shape;
    this.directories = directories;
    this.columns = columns;
    this.options = options;
    asked = asked(options);
  }

  static SourceOptions asked(CaseInsensitiveStringMap options) {
    return SourceOptions.of(options, SQLConf.get().sessionLocalTimeZone());
  }

  @Override
  public void pruneColumns(StructType required) {
    columns = required;
  }

  @Override
  public Filter[] pushFilters(Filter[] filters) {
    all = List.of(filters);
    List<Filter> used = new ArrayList<>();
    for (Filter filter : shape.isOfStacks() ? new Filter[0] : filters) {
      RowLimits more = limits.and(filter);
      if (!more.equals(limits)) {
        used.add(filter);
        limits = more;
      }
    }
    pushed = used.toArray(Filter[]::new);
    // More rows may be read than they let pass.
    return filters;
  }

  @Override
  public Filter[] pushedFilters() {
    return pushed.clone();
  }

  /** Each task ends with as many rows; Spark takes those of all that it needs. */
  @Override
  public boolean pushLimit(int limit) {
    most = limit;
    return true;
  }

  @Override
  public Statistics estimateStatistics() {
    long bytes = 0;
    try {
      for (DirectoryColumns.Found found : new RecordingPaths(configuration(options)).of(asked)) {
        if (directories.mayPass(directories.values(found, shape.names()), all)) {
          FileStatus file = found.file();
          boolean isPacked = !file.getPath().getName().endsWith(".jfr");
          bytes += file.getLen() * (isPacked ? PACKED_GROWTH : GROWTH);
        }
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e.getMessage(), e);
    }
    OptionalLong sum = OptionalLong.of(bytes);
    return new Statistics() {
      @Override
      public OptionalLong sizeInBytes() {
        return sum;
      }

      @Override
      public OptionalLong numRows() {
        return OptionalLong.empty();
      }
    };
  }

  @Override
  public Scan build() {
    return this;
  }

  @Override
  public StructType readSchema() {
    return columns;
  }

  @Override
  public String description() {
    String limit = most == Integer.MAX_VALUE ? "" : " limit " + most;
    return "jfr " + shape.title() + " " + limits.described() + limit;
  }

  @Override
  public Batch toBatch() {
    return this;
  }

  private Question question() {
    List<String> names = List.of(directories.schema().fieldNames());
    return new Question(shape, columns, limits, asked.mode(), most, names);
  }

  static Configuration configuration(CaseInsensitiveStringMap options) {
    Configuration all =
        new Configuration(SparkSession.active().sparkContext().hadoopConfiguration());
    options.asCaseSensitiveMap().forEach(all::set);
    return all;
  }

  @Override
  public InputPartition[] planInputPartitions() {
    int cores = SparkSession.active().sparkContext().defaultParallelism();
    return new Slicing(configuration(options), asked, cores, directories, all)
        .plan(question())
        .toArray(InputPartition[]::new);
  }

  @Override
  public PartitionReaderFactory createReaderFactory() {
    return new JfrReaderFactory(question(), new SerializableConfiguration(configuration(options)));
  }
}
