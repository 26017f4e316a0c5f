package org.buftrail.cli.commands;

import java.util.List;
import java.util.Locale;
import org.buftrail.cli.diff.FailOn;
import org.buftrail.cli.options.ListOption;

/** Conditions under which a comparison fails. */
final class FailOnOption extends ListOption<FailOn> {
  private static final String GROWTH = "growth=";

  FailOnOption(String names, String label, String... description) {
    super(names, label, true, description);
  }

  @Override
  protected FailOn read(String text) {
    String wanted = text.trim().toLowerCase(Locale.ROOT);
    for (FailOn.NewPath condition : List.of(FailOn.NewPath.LEAK, FailOn.NewPath.DROPPED)) {
      if (wanted.equals(condition.name())) {
        return condition;
      }
    }
    if (wanted.startsWith(GROWTH)) {
      try {
        double percent = Double.parseDouble(wanted.substring(GROWTH.length()).replace("%", ""));
        if (percent >= 0 && Double.isFinite(percent)) {
          return new FailOn.Growth(percent);
        }
      } catch (NumberFormatException e) {
        throw unknown(text);
      }
    }
    throw unknown(text);
  }

  private static IllegalArgumentException unknown(String text) {
    return new IllegalArgumentException(
        "'" + text + "' is none of new-leak, new-dropped and growth=10%");
  }
}
