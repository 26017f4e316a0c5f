package org.buftrail.console.engine;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.buftrail.console.output.CommandFailure;
import org.buftrail.jfr.RecordingException;
import org.buftrail.jfr.dataset.Content;

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
   * Adds a recording, whose content it finds first.
   *
   * @throws IOException as {@link #add(Path, Content)} does
   */
  default Added add(Path recording) throws IOException {
    return add(recording, Content.of(recording));
  }

  /**
   * Adds a recording; one with the same bytes is added once. If this fails or is killed half-way,
   * it is not in the dataset, though queries may see a part of it until it is added again.
   *
   * @param content of the recording
   * @throws RecordingException if nothing of it can be read, whenever it is tried
   * @throws IOException if the file cannot be read now, or the dataset not be written
   */
  Added add(Path recording, Content content) throws IOException;

  @Override
  void close() throws CommandFailure;
}
