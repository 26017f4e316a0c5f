package org.buftrail.cli.watch;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.buftrail.console.output.CommandFailure;

/** What becomes of a recording. Belongs to one worker. */
public interface Taker extends AutoCloseable {
  /**
   * Takes a recording.
   *
   * @return what could not be read of it, a line each
   * @throws CommandFailure if the recording is at fault: it is not tried again
   * @throws IOException if something else is, such as a receiver that is down
   */
  List<String> take(Path recording) throws IOException, InterruptedException, CommandFailure;

  @Override
  void close() throws CommandFailure;
}
