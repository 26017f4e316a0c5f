package org.buftrail.jfr;

import java.io.IOException;
import java.nio.file.Path;

/** A file that is not a recording, or that cannot be read at all. Its message is one line. */
public final class RecordingException extends IOException {
  private static final long serialVersionUID = 1L;

  private final String file;
  private final String reason;

  /**
   * @param file the file
   * @param reason what is wrong with it, in a few words
   */
  public RecordingException(Path file, String reason) {
    super(file + ": " + reason);
    this.file = file.toString();
    this.reason = reason;
  }

  /** The file. */
  public String file() {
    return file;
  }

  /** What is wrong with it, in a few words. */
  public String reason() {
    return reason;
  }
}
