package org.buftrail.cli.options;

/** Reads a part of a whole, {@code 0.1} or {@code 10%}. */
public final class RatioOption extends CommandOption {
  private double value;

  public RatioOption(String names, double initial, String... description) {
    super(names, "RATIO", description);
    value = initial;
  }

  /** The given value, or the default. */
  public double value() {
    return value;
  }

  @Override
  void accept(String text) {
    boolean percent = text.endsWith("%");
    String number = percent ? text.substring(0, text.length() - 1) : text;
    try {
      double ratio = Double.parseDouble(number) / (percent ? 100 : 1);
      if (ratio >= 0 && ratio <= 1) {
        value = ratio;
        return;
      }
    } catch (NumberFormatException e) {
      // Said below.
    }
    throw new IllegalArgumentException("'" + text + "' is no part of a whole: 0.1 or 10%");
  }
}
