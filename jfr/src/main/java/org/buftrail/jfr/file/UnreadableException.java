package org.buftrail.jfr.file;

import java.io.IOException;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/** A file that is not a recording, or that cannot be read at all. */
public final class UnreadableException extends IOException {
  private static final long serialVersionUID = 1L;

  private final String file;
  private final String reason;

  /**
   * @param file the file
   * @param reason what is wrong with it, in a few words
   */
  public UnreadableException(Path file, String reason) {
    this(file, reason, null);
  }

  /**
   * @param unwritten why the recording, which may be sound, cannot be copied; null if it is at
   *     fault itself
   */
  public UnreadableException(Path file, String reason, @Nullable IOException unwritten) {
    super(file + ": " + reason, unwritten);
    this.file = file.toString();
    this.reason = reason;
  }

  /** The file. */
  public String file() {
    return file;
  }

  /** The fault, in a few words. */
  public String reason() {
    return reason;
  }

  /** Whether nothing is known to be wrong with the recording: its copy cannot be written. */
  public boolean isOfTemporaryFile() {
    return getCause() != null;
  }
}
