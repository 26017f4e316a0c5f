package org.buftrail.cli.engine;

import java.io.IOException;
import org.buftrail.cli.output.CommandFailure;
import org.buftrail.cli.output.Terminal;

/** Answers questions in SQL. Found by {@link java.util.ServiceLoader}. */
public interface SqlEngine {
  /**
   * Answers a question, or all that a prompt takes.
   *
   * @return the exit code
   */
  int answer(SqlQuestion question, Terminal terminal) throws IOException, CommandFailure;
}
