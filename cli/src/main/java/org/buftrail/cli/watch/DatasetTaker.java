package org.buftrail.cli.watch;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.buftrail.console.engine.Dataset;
import org.buftrail.console.output.CommandFailure;
import org.buftrail.jfr.dataset.Content;
import org.jspecify.annotations.Nullable;

/** Adds recordings to a dataset. */
public final class DatasetTaker implements Taker {
  private final Dataset dataset;

  public DatasetTaker(Dataset dataset) {
    this.dataset = dataset;
  }

  @Override
  public List<String> take(Path recording, @Nullable Content content) throws IOException {
    return (content == null ? dataset.add(recording) : dataset.add(recording, content)).damages();
  }

  @Override
  public void close() throws CommandFailure {
    dataset.close();
  }
}
