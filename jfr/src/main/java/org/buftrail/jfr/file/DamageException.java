package org.buftrail.jfr.file;

/** Bytes that cannot be a recording: thrown where they are met, and reported as damage. */
public final class DamageException extends Exception {
  private static final long serialVersionUID = 1L;

  private final long offset;

  /**
   * @param offset position in the file, in bytes
   * @param cause what is wrong there, in a few words
   */
  public DamageException(long offset, String cause) {
    super(cause, null, false, false);
    this.offset = offset;
  }

  /** Position in the file, in bytes. */
  public long offset() {
    return offset;
  }

  /** The fault, in a few words. */
  public String reason() {
    return String.valueOf(getMessage());
  }
}
