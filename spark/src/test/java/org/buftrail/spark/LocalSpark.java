package org.buftrail.spark;

import org.apache.spark.sql.SparkSession;

/** Spark in this JVM, on two threads; one for all tests, since it takes seconds to start. */
final class LocalSpark {
  private LocalSpark() {}

  static SparkSession session() {
    return SparkSession.builder()
        .master("local[2]")
        .config("spark.ui.enabled", false)
        .config("spark.sql.shuffle.partitions", 2)
        .config("spark.hadoop.fs.other.impl", OtherFileSystem.class.getName())
        .config("spark.driver.host", "localhost")
        .config("spark.driver.bindAddress", "127.0.0.1")
        .getOrCreate();
  }
}
