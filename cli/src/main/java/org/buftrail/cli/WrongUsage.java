package org.buftrail.cli;

/** Options that the parser accepts and that do not go together, or mean nothing. */
final class WrongUsage extends RuntimeException {
  private static final long serialVersionUID = 1;

  WrongUsage(String message) {
    super(message);
  }
}
