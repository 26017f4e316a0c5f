package org.buftrail.cli.watch;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.buftrail.console.output.CommandFailure;
import org.buftrail.jfr.RecordingException;
import org.buftrail.jfr.dataset.Content;
import org.jspecify.annotations.Nullable;

/** What becomes of a recording. Belongs to one worker. */
public interface Taker extends AutoCloseable {
  /**
   * Takes a recording.
   *
   * @param content of the recording, if it is known
   * @return what could not be read of it, a line each
   * @throws CommandFailure if the recording is at fault: it is not tried again
   * @throws RecordingException if it is, or the machine, as that says
   * @throws IOException if something else is, such as a receiver that is down
   */
  List<String> take(Path recording, @Nullable Content content)
      throws IOException, InterruptedException, CommandFailure;

  @Override
  void close() throws CommandFailure;
}
