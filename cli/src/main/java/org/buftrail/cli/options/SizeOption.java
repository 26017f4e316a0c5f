package org.buftrail.cli.options;

import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Reads a number of bytes: {@code 60m}, {@code 512K}, {@code 4MiB}. Each letter is 1,024 times. */
public final class SizeOption extends CommandOption {
  private static final String FORM = "(\\d{1,9}) ?(k|m|g)?(i?b)?";
  private static final int STEP = 10;

  private long value;

  public SizeOption(String names, long initial, String... description) {
    super(names, "SIZE", description);
    value = initial;
  }

  /** The given value, or the default. */
  public long value() {
    return value;
  }

  @Override
  void accept(String text) {
    // Compiled here: a run without the option loads no patterns.
    Matcher matcher = Pattern.compile(FORM).matcher(text.toLowerCase(Locale.ROOT));
    if (!matcher.matches() || matcher.group(1).matches("0+")) {
      throw new IllegalArgumentException("'" + text + "' is no size: give bytes, or 60m, or 512k");
    }
    int steps = matcher.group(2) == null ? 0 : "kmg".indexOf(matcher.group(2)) + 1;
    value = Long.parseLong(matcher.group(1)) << (STEP * steps);
  }
}
