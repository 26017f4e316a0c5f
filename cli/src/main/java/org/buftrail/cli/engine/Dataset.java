package org.buftrail.cli.engine;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.buftrail.cli.output.CommandFailure;

/** A directory of Parquet files that recordings are added to. Belongs to one thread at a time. */
public interface Dataset extends AutoCloseable {
  /**
   * What became of a recording.
   *
   * @param added whether it was not there before
   * @param damages what could not be read of it, a line each
   */
  record Added(boolean added, List<String> damages) {}

  /**
   * Adds a recording, as a whole or not at all; one with the same bytes is added once.
   *
   * @throws IOException if it cannot be read, or the dataset not be written
   */
  Added add(Path recording) throws IOException, CommandFailure;

  @Override
  void close() throws CommandFailure;
}
