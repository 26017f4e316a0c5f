package org.buftrail.spark;

import java.util.Map;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SQLContext;
import org.apache.spark.sql.SaveMode;
import org.apache.spark.sql.connector.catalog.Table;
import org.apache.spark.sql.connector.catalog.TableProvider;
import org.apache.spark.sql.connector.expressions.Transform;
import org.apache.spark.sql.sources.BaseRelation;
import org.apache.spark.sql.sources.CreatableRelationProvider;
import org.apache.spark.sql.sources.DataSourceRegister;
import org.apache.spark.sql.types.StructType;
import org.apache.spark.sql.util.CaseInsensitiveStringMap;

/** What {@code spark.read.format("jfr")} finds. Public for Spark, which makes one. */
public final class JfrSource
    implements TableProvider, DataSourceRegister, CreatableRelationProvider {
  @Override
  public String shortName() {
    return "jfr";
  }

  /** Refuses a write in any mode: Spark's own words for a source without one say nothing. */
  @Override
  public BaseRelation createRelation(
      SQLContext context,
      SaveMode mode,
      scala.collection.immutable.Map<String, String> parameters,
      Dataset<Row> rows) {
    throw new UnsupportedOperationException(
        "format jfr is read and not written: recordings are made by JVMs; write.parquet(path) keeps"
            + " rows");
  }

  @Override
  public StructType inferSchema(CaseInsensitiveStringMap options) {
    return JfrTable.inferred(options).schema();
  }

  @Override
  public Table getTable(
      StructType schema, Transform[] partitioning, Map<String, String> properties) {
    return JfrTable.of(schema, new CaseInsensitiveStringMap(properties));
  }
}
