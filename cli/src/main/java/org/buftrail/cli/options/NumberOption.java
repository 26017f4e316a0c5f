package org.buftrail.cli.options;

public final class NumberOption extends CommandOption {
  private double value;

  public NumberOption(String names, String label, String... description) {
    super(names, label, description);
  }

  /** The given value, or the default. */
  public double value() {
    return value;
  }

  @Override
  void accept(String text) {
    try {
      value = Double.parseDouble(text);
    } catch (NumberFormatException e) {
      throw new IllegalArgumentException("'" + text + "' is not a number", e);
    }
  }
}
