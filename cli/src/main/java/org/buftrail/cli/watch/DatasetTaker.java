package org.buftrail.cli.watch;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.buftrail.console.engine.Dataset;
import org.buftrail.console.output.CommandFailure;
import org.buftrail.jfr.RecordingException;

/** Adds recordings to a dataset. */
public final class DatasetTaker implements Taker {
  private final Dataset dataset;

  public DatasetTaker(Dataset dataset) {
    this.dataset = dataset;
  }

  @Override
  public List<String> take(Path recording) throws IOException, CommandFailure {
    try {
      return dataset.add(recording).damages();
    } catch (RecordingException e) {
      if (e.isOfTemporaryFile()) {
        // Once there is space, another try succeeds.
        throw new IOException(e.reason(), e);
      }
      throw new CommandFailure(String.valueOf(e.getMessage()), e);
    }
  }

  @Override
  public void close() throws CommandFailure {
    dataset.close();
  }
}
