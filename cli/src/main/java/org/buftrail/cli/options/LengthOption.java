package org.buftrail.cli.options;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Reads a length of time in nanoseconds: milliseconds, or a number with ns, us, ms or s. */
public final class LengthOption extends CommandOption {
  private static final String LENGTH = "([0-9]{1,12})(ns|us|ms|s|)";

  private long value = -1;

  public LengthOption(String names, String... description) {
    super(names, "TIME", description);
  }

  /** The given value, or the default. */
  public long value() {
    return value;
  }

  @Override
  void accept(String text) {
    // Compiled here: a run without the option loads no patterns.
    Matcher length = Pattern.compile(LENGTH).matcher(text);
    if (!length.matches()) {
      throw new IllegalArgumentException(
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
    value = number > Long.MAX_VALUE / factor ? Long.MAX_VALUE : number * factor;
  }
}
