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
   * @param lack what this process lacks to read the recording, which may be sound: an {@link
   *     IOException} if its copy cannot be written, an {@link OutOfMemoryError} if the heap is too
   *     small; null if the recording is at fault itself
   */
  public UnreadableException(Path file, String reason, @Nullable Throwable lack) {
    super(file + ": " + reason, lack);
    this.file = file.toString();
    this.reason = reason;
  }

  public String file() {
    return file;
  }

  /** The fault, in a few words. */
  public String reason() {
    return reason;
  }

  /** Whether the recording is at fault; else this process lacks what it takes to read it. */
  public boolean isOfRecording() {
    return getCause() == null;
  }

  /** Whether the recording's copy cannot be written. */
  public boolean isOfTemporaryFile() {
    return getCause() instanceof IOException;
  }
}
