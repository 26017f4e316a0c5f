package org.buftrail.benchmarks.fleet;

/**
 * What reading recordings took.
 *
 * @param what the way
 * @param input the recordings
 * @param files how many of them were read
 * @param rows of samples, or events where the way has these; 0 if it says none
 */
record Measured(
    String what,
    String input,
    int cores,
    int files,
    long bytes,
    long rows,
    TimedProcess.Result time) {
  double megabytesPerSecond() {
    return bytes / 1e6 / time.seconds();
  }

  double rowsPerSecond() {
    return rows / time.seconds();
  }
}
