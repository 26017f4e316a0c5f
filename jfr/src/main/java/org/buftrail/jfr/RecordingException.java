package org.buftrail.jfr;

import java.io.IOException;
import java.nio.file.Path;
import org.buftrail.jfr.file.UnreadableException;

/** A file that is not a recording, or that cannot be read at all. Its message is one line. */
public final class RecordingException extends IOException {
  private static final long serialVersionUID = 1L;

  private final UnreadableException unreadable;

  /**
   * @param file the file
   * @param reason what is wrong with it, in a few words
   */
  public RecordingException(Path file, String reason) {
    this(new UnreadableException(file, reason));
  }

  RecordingException(UnreadableException unreadable) {
    super(unreadable.getMessage(), unreadable.getCause());
    this.unreadable = unreadable;
  }

  /** The file. */
  public String file() {
    return unreadable.file();
  }

  /** The fault, in a few words. */
  public String reason() {
    return unreadable.reason();
  }

  /**
   * Whether nothing is known to be wrong with the recording: it is packed or no file, and its copy
   * cannot be written to the directory for temporary files.
   */
  public boolean isOfTemporaryFile() {
    return unreadable.isOfTemporaryFile();
  }
}
