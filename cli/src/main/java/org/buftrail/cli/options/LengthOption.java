package org.buftrail.cli.options;

import java.util.regex.Matcher;
import java.util.regex.Pattern;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Reads a length of time in nanoseconds: milliseconds, or a number with ns, us, ms or s. */
final class LengthOption implements ITypeConverter<Long> {
  private static final Pattern LENGTH = Pattern.compile("([0-9]{1,12})(ns|us|ms|s|)");

  @Override
  public Long convert(String text) {
    Matcher length = LENGTH.matcher(text);
    if (!length.matches()) {
      throw new TypeConversionException(
          "'"
              + text
              + "' is no length of time: give milliseconds, or a number with ns, us, ms or s");
    }
    long factor =
        switch (length.group(2)) {
          case "ns" -> 1;
          case "us" -> 1_000;
          case "s" -> 1_000_000_000;
          default -> 1_000_000;
        };
    long number = Long.parseLong(length.group(1));
    return number > Long.MAX_VALUE / factor ? Long.MAX_VALUE : number * factor;
  }
}
