package org.buftrail.jfr.rows;

/** Takes rows, a batch at a time. */
@FunctionalInterface
public interface SampleBatchTaker {
  /**
   * Takes rows.
   *
   * @param batch of one chunk, not empty; valid until this returns
   */
  void take(SampleBatch batch);
}
