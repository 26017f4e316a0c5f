package org.buftrail.cli.options;

import org.jspecify.annotations.Nullable;

/** A text, or null. */
public final class TextOption extends CommandOption {
  private @Nullable String value;

  public TextOption(String names, String label, String... description) {
    super(names, label, description);
  }

  /** The given value, or the default. */
  public @Nullable String value() {
    return value;
  }

  @Override
  void accept(String text) {
    value = text;
  }
}
