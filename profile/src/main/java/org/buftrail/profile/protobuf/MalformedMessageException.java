package org.buftrail.profile.protobuf;

import java.io.IOException;

/** Bytes that are not the message they should be. The text is one line that says what and where. */
public final class MalformedMessageException extends IOException {
  private static final long serialVersionUID = 1L;

  /**
   * @param message one line that says what is wrong, and where
   */
  public MalformedMessageException(String message) {
    super(message);
  }
}
