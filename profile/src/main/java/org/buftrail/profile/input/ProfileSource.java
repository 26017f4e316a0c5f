package org.buftrail.profile.input;

import java.io.IOException;
import java.nio.file.Path;

/** A form that profiles come in: how it is told from others, and how it is read. Immutable. */
public interface ProfileSource {
  /** What such a file is, such as {@code a pprof profile}. */
  String what();

  /** Whether a file is one, by its first bytes alone. */
  boolean accepts(InputStart start);

  /**
   * Reads a file.
   *
   * @throws IOException if it cannot be read or is not what it seemed to be; the text names it
   */
  ReadProfiles read(Path file) throws IOException;
}
