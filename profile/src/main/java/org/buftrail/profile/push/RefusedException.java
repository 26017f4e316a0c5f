package org.buftrail.profile.push;

import java.io.IOException;
import java.util.Set;

/** The receiver does not want a request. */
public final class RefusedException extends IOException {
  private static final long serialVersionUID = 1L;

  /** Malformed, too large, of a type that it does not know, and wrong in what it says. */
  private static final Set<Integer> OF_THE_CONTENT = Set.of(400, 413, 415, 422);

  private final int status;

  RefusedException(String message, int status) {
    super(message);
    this.status = status;
  }

  /** Whether what was sent is at fault, rather than who sends it or where to. */
  public boolean isForTheContent() {
    return OF_THE_CONTENT.contains(status);
  }

  /** Adds to the message. */
  RefusedException with(String more) {
    RefusedException said = new RefusedException(getMessage() + more, status);
    said.initCause(this);
    return said;
  }
}
