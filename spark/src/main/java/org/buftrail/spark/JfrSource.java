package org.buftrail.spark;

import java.util.Map;
import org.apache.spark.sql.connector.catalog.Table;
import org.apache.spark.sql.connector.catalog.TableProvider;
import org.apache.spark.sql.connector.expressions.Transform;
import org.apache.spark.sql.sources.DataSourceRegister;
import org.apache.spark.sql.types.StructType;
import org.apache.spark.sql.util.CaseInsensitiveStringMap;

/** What {@code spark.read.format("jfr")} finds. Public for Spark, which makes one. */
public final class JfrSource implements TableProvider, DataSourceRegister {
  @Override
  public String shortName() {
    return "jfr";
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
