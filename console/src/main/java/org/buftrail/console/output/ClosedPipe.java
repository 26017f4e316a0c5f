package org.buftrail.console.output;

/** Ends a command without a word: the reader of its result has seen enough, as {@code head} has. */
final class ClosedPipe extends RuntimeException {
  private static final long serialVersionUID = 1;

  ClosedPipe() {
    super("standard output was closed");
  }
}
