package org.buftrail.jfr;

/** Bytes that cannot be a recording: thrown where they are met, turned into a {@link Damage}. */
final class DamageException extends Exception {
  private static final long serialVersionUID = 1L;

  private final long offset;

  /**
   * @param offset position in the file, in bytes
   * @param cause what is wrong there, in a few words
   */
  DamageException(long offset, String cause) {
    super(cause, null, false, false);
    this.offset = offset;
  }

  /** Position in the file, in bytes. */
  long offset() {
    return offset;
  }

  /** What is wrong there, in a few words. */
  String reason() {
    return String.valueOf(getMessage());
  }
}
