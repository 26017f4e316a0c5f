package org.buftrail.cli.options;

import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Reads a part of a whole, {@code 0.1} or {@code 10%}. */
final class RatioOption implements ITypeConverter<Double> {
  @Override
  public Double convert(String text) {
    boolean percent = text.endsWith("%");
    String number = percent ? text.substring(0, text.length() - 1) : text;
    try {
      double ratio = Double.parseDouble(number) / (percent ? 100 : 1);
      if (ratio >= 0 && ratio <= 1) {
        return ratio;
      }
    } catch (NumberFormatException e) {
      // Said below.
    }
    throw new TypeConversionException("'" + text + "' is no part of a whole: 0.1 or 10%");
  }
}
