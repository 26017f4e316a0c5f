package org.buftrail.console.engine;

import java.io.IOException;
import java.nio.file.Path;
import org.buftrail.console.output.CommandFailure;
import org.buftrail.console.output.Terminal;

/** Answers questions in SQL. Found by {@link java.util.ServiceLoader}. */
public interface SqlEngine {
  /**
   * Answers a question, or all that a prompt takes.
   *
   * @return the exit code
   */
  int answer(SqlQuestion question, Terminal terminal) throws IOException, CommandFailure;

  /**
   * Opens a dataset, which is made if it is not there.
   *
   * @param directory empty, a dataset, or not there
   * @param messages whether the messages of exceptions are kept, which may hold what users typed
   */
  Dataset dataset(Path directory, boolean messages) throws IOException, CommandFailure;

  /**
   * Makes one file of all that a day and service have in a dataset.
   *
   * @param days that are kept, today among them; 0 for all
   * @return the exit code
   */
  int compact(Path directory, int days, Terminal terminal) throws IOException, CommandFailure;
}
