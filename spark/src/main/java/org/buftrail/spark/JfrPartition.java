package org.buftrail.spark;

import java.util.List;
import org.apache.spark.sql.connector.read.InputPartition;

/**
 * What one task reads.
 *
 * @param slices whole recordings, or a part of one
 */
record JfrPartition(List<RecordingSlice> slices) implements InputPartition {
  static JfrPartition of(RecordingSlice slice) {
    return new JfrPartition(List.of(slice));
  }
}
