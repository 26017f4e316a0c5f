package org.buftrail.cli.shape;

/** A selection leaves nothing; the message says what there is instead. */
public final class NothingLeft extends Exception {
  private static final long serialVersionUID = 1;

  NothingLeft(String message) {
    super(message);
  }
}
