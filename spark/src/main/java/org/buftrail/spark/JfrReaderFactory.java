package org.buftrail.spark;

import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.connector.read.InputPartition;
import org.apache.spark.sql.connector.read.PartitionReader;
import org.apache.spark.sql.connector.read.PartitionReaderFactory;
import org.apache.spark.util.SerializableConfiguration;

/** Makes readers where tasks run. */
final class JfrReaderFactory implements PartitionReaderFactory {
  private static final long serialVersionUID = 1L;

  private final Question question;
  private final SerializableConfiguration configuration;

  JfrReaderFactory(Question question, SerializableConfiguration configuration) {
    this.question = question;
    this.configuration = configuration;
  }

  @Override
  public PartitionReader<InternalRow> createReader(InputPartition partition) {
    return new JfrRows(question, ((JfrPartition) partition).slices(), configuration.value());
  }
}
