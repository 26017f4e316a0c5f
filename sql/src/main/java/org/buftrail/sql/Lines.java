package org.buftrail.sql;

import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** Where the prompt gets its lines from. Used by one thread. */
interface Lines extends AutoCloseable {
  /**
   * Waits for the next line.
   *
   * @param prompt shown to a user
   * @return null at the end
   */
  @Nullable String next(String prompt) throws IOException;

  @Override
  default void close() throws IOException {}
}
