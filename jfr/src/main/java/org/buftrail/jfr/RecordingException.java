package org.buftrail.jfr;

import java.io.IOException;
import java.nio.file.Path;

/** A file that is not a recording, or that cannot be read at all. Its message is one line. */
public final class RecordingException extends IOException {
  private static final long serialVersionUID = 1L;

  private final String file;
  private final long offset;

  /**
   * @param file the file
   * @param offset position in the file, in bytes
   * @param cause what is wrong there, in a few words
   */
  public RecordingException(Path file, long offset, String cause) {
    super(file + ": " + cause + (offset > 0 ? " (at byte " + offset + ")" : ""));
    this.file = file.toString();
    this.offset = offset;
  }

  /** The file. */
  public String file() {
    return file;
  }

  /** Position in the file, in bytes. */
  public long offset() {
    return offset;
  }
}
