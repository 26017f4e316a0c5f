package org.buftrail.jfr;

import java.io.IOException;
import java.nio.file.Path;
import org.buftrail.jfr.file.UnreadableException;

/** A file that is not a recording, or that cannot be read at all. Its message is one line. */
public final class RecordingException extends IOException {
  private static final long serialVersionUID = 1L;

  private final String file;
  private final String reason;
  private final boolean isOfTemporaryFile;

  /**
   * @param file the file
   * @param reason what is wrong with it, in a few words
   */
  public RecordingException(Path file, String reason) {
    super(file + ": " + reason);
    this.file = file.toString();
    this.reason = reason;
    isOfTemporaryFile = false;
  }

  RecordingException(UnreadableException cause) {
    super(cause.getMessage(), cause.getCause());
    file = cause.file();
    reason = cause.reason();
    isOfTemporaryFile = cause.isOfTemporaryFile();
  }

  /** The file. */
  public String file() {
    return file;
  }

  /** The fault, in a few words. */
  public String reason() {
    return reason;
  }

  /**
   * Whether nothing is known to be wrong with the recording: it is packed or no file, and its copy
   * cannot be written to the directory for temporary files.
   */
  public boolean isOfTemporaryFile() {
    return isOfTemporaryFile;
  }
}
