package org.buftrail.console.output;

/** Ends a command with exit code 1 and one line that says what, where and what to do. */
public final class CommandFailure extends Exception {
  private static final long serialVersionUID = 1L;

  public CommandFailure(String message) {
    super(message);
  }

  public CommandFailure(String message, Throwable cause) {
    super(message, cause);
  }
}
