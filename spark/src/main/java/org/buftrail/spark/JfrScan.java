package org.buftrail.spark;

import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.connector.read.Batch;
import org.apache.spark.sql.connector.read.InputPartition;
import org.apache.spark.sql.connector.read.PartitionReaderFactory;
import org.apache.spark.sql.connector.read.Scan;
import org.apache.spark.sql.connector.read.ScanBuilder;
import org.apache.spark.sql.connector.read.SupportsPushDownFilters;
import org.apache.spark.sql.connector.read.SupportsPushDownRequiredColumns;
import org.apache.spark.sql.internal.SQLConf;
import org.apache.spark.sql.sources.Filter;
import org.apache.spark.sql.types.StructType;
import org.apache.spark.sql.util.CaseInsensitiveStringMap;
import org.apache.spark.util.SerializableConfiguration;

/** A query on one table of recordings, from what is pushed down to who reads which files. */
final class JfrScan
    implements ScanBuilder, Scan, Batch, SupportsPushDownRequiredColumns, SupportsPushDownFilters {
  private final TableShape shape;
  private final CaseInsensitiveStringMap options;
  private final SourceOptions asked;
  private StructType columns;
  private RowLimits limits = RowLimits.NONE;
  private Filter[] pushed = new Filter[0];

  JfrScan(TableShape shape, CaseInsensitiveStringMap options) {
    this.shape = shape;
    this.options = options;
    asked = SourceOptions.of(options, SQLConf.get().sessionLocalTimeZone());
    columns = shape.schema();
  }

  @Override
  public void pruneColumns(StructType required) {
    columns = required;
  }

  @Override
  public Filter[] pushFilters(Filter[] filters) {
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
    return "jfr " + shape.title() + " " + limits.described();
  }

  @Override
  public Batch toBatch() {
    return this;
  }

  private Question question() {
    return new Question(shape, columns, limits, asked.mode());
  }

  private static Configuration configuration(CaseInsensitiveStringMap options) {
    Configuration all =
        new Configuration(SparkSession.active().sparkContext().hadoopConfiguration());
    options.asCaseSensitiveMap().forEach(all::set);
    return all;
  }

  @Override
  public InputPartition[] planInputPartitions() {
    int cores = SparkSession.active().sparkContext().defaultParallelism();
    return new Slicing(configuration(options), asked, cores)
        .plan(question())
        .toArray(InputPartition[]::new);
  }

  @Override
  public PartitionReaderFactory createReaderFactory() {
    return new JfrReaderFactory(question(), new SerializableConfiguration(configuration(options)));
  }
}
