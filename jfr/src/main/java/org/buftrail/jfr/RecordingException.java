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
   * Whether the recording is at fault. Else nothing is known to be wrong with it: its copy cannot
   * be written, or the heap is too small; then the cause is an {@link OutOfMemoryError}.
   */
  public boolean isOfRecording() {
    return unreadable.isOfRecording();
  }

  /**
   * Whether the copy of a recording that is packed or no file cannot be written to the directory
   * for temporary files, so that others cannot be read either.
   */
  public boolean isOfTemporaryFile() {
    return unreadable.isOfTemporaryFile();
  }
}
