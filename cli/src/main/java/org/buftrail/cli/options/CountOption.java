package org.buftrail.cli.options;

/** A whole number. */
public final class CountOption extends CommandOption {
  private int value;

  public CountOption(String names, String label, int initial, String... description) {
    super(names, label, description);
    value = initial;
  }

  /** The given value, or the default. */
  public int value() {
    return value;
  }

  @Override
  void accept(String text) {
    try {
      value = Integer.parseInt(text);
    } catch (NumberFormatException e) {
      throw new IllegalArgumentException("'" + text + "' is not a whole number", e);
    }
  }
}
