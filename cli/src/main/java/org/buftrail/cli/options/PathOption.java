package org.buftrail.cli.options;

import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/** The name of a file, or null. */
public final class PathOption extends CommandOption {
  private @Nullable Path value;

  public PathOption(String names, String label, String... description) {
    super(names, label, description);
  }

  /** The given value, or the default. */
  public @Nullable Path value() {
    return value;
  }

  @Override
  void accept(String text) {
    value = Path.of(text);
  }

  @Override
  Class<?> type() {
    return Path.class;
  }
}
