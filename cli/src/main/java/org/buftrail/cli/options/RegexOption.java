package org.buftrail.cli.options;

import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** A regular expression, or null. */
public final class RegexOption extends CommandOption {
  private @Nullable Pattern value;

  public RegexOption(String names, String... description) {
    super(names, "REGEX", description);
  }

  /** The given value, or the default. */
  public @Nullable Pattern value() {
    return value;
  }

  @Override
  void accept(String text) {
    value = Pattern.compile(text);
  }
}
