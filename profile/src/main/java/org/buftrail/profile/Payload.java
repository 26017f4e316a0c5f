package org.buftrail.profile;

import java.io.IOException;
import java.io.OutputStream;

/** The recording that a profile was made from, carried along as it is. */
public interface Payload {
  /** What it is, such as {@code jfr}. {@code Profile.original_payload_format}. */
  String format();

  /** Its length in bytes, at most 2,147,483,647. */
  long size();

  /**
   * Writes exactly {@link #size} bytes. May be called again.
   *
   * @throws IOException if it cannot be read or the target cannot be written
   */
  void writeTo(OutputStream target) throws IOException;
}
