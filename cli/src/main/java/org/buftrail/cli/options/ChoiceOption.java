package org.buftrail.cli.options;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** One of some constants, named in any case, or null. */
public final class ChoiceOption<E extends Enum<E>> extends CommandOption {
  private final E[] all;

  private @Nullable E value;

  public ChoiceOption(String names, String label, E[] all, String... description) {
    super(names, label, description);
    this.all = all;
  }

  /** The given value, or the default. */
  public @Nullable E value() {
    return value;
  }

  @Override
  void accept(String text) {
    for (E each : all) {
      if (each.name().equalsIgnoreCase(text) || each.toString().equalsIgnoreCase(text)) {
        value = each;
        return;
      }
    }
    throw new IllegalArgumentException(
        "expected " + String.join(", ", candidates()) + " but was '" + text + "'");
  }

  @Override
  List<String> candidates() {
    List<String> names = new ArrayList<>();
    for (E each : all) {
      names.add(each.toString().toLowerCase(Locale.ROOT));
    }
    return names;
  }
}
