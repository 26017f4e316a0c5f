package org.buftrail.console.output;

/** Options that the parser accepts and that do not go together, or mean nothing. */
public final class WrongUsage extends RuntimeException {
  private static final long serialVersionUID = 1;

  public WrongUsage(String message) {
    super(message);
  }
}
