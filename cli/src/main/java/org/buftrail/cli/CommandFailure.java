package org.buftrail.cli;

/** Ends a command with exit code 1 and one line that says what, where and what to do. */
final class CommandFailure extends Exception {
  private static final long serialVersionUID = 1L;

  CommandFailure(String message) {
    super(message);
  }

  CommandFailure(String message, Throwable cause) {
    super(message, cause);
  }
}
