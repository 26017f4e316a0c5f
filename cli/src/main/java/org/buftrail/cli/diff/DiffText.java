package org.buftrail.cli.diff;

import java.util.List;
import java.util.Locale;
import org.buftrail.profile.diff.Change;
import org.buftrail.profile.diff.Measure;
import org.buftrail.profile.diff.ProfileDiff;
import org.buftrail.profile.text.Amounts;
import org.buftrail.profile.text.Printable;

/** A comparison as text for a terminal. */
public final class DiffText {
  private static final String ROW = "  %12s  %12s  %12s  %-6s  %s%n";

  private DiffText() {}

  /**
   * The text, ending with a line feed.
   *
   * @param base name of the one side
   * @param now name of the other
   * @param failed what is not as it should be, each in one line
   * @param top how many changes to show of each measure
   */
  public static String of(ProfileDiff diff, String base, String now, List<String> failed, int top) {
    StringBuilder text = new StringBuilder();
    text.append("base  ").append(Printable.line(base)).append('\n');
    text.append("new   ").append(Printable.line(now)).append('\n');
    text.append(normalised(diff)).append('\n');
    for (Measure measure : diff.measures()) {
      append(diff, measure, top, text);
    }
    if (diff.measures().isEmpty()) {
      text.append("\nThere is nothing to compare.\n");
    }
    for (String reason : failed) {
      text.append("\nFAILED  ").append(Printable.line(reason));
    }
    return text.append(failed.isEmpty() ? "" : "\n").toString();
  }

  /** How the base was made comparable, in one sentence. */
  static String normalised(ProfileDiff diff) {
    if (diff.scale() == ProfileDiff.Scale.NONE) {
      return "values as they are, not normalised";
    }
    double factor =
        diff.measures().stream()
            .mapToDouble(Measure::factor)
            .filter(f -> f != 1)
            .findFirst()
            .orElse(1);
    return String.format(
        Locale.ROOT,
        "base multiplied by %.4g: normalised by %s%s",
        factor,
        diff.scale().name().toLowerCase(Locale.ROOT),
        "; what is live at one moment is not");
  }

  private static void append(ProfileDiff diff, Measure measure, int top, StringBuilder text) {
    String unit = measure.unit();
    text.append('\n').append(DiffWording.title(measure)).append("  ");
    text.append(Amounts.of(measure.baseTotal(), unit)).append(" -> ");
    text.append(Amounts.of(measure.nowTotal(), unit));
    if (measure.growthPercent() != 0) {
      text.append("  (").append(DiffWording.growth(measure)).append(')');
    }
    text.append('\n');
    List<Change> changes = diff.changes(measure);
    if (!changes.isEmpty()) {
      text.append(row("change", "base", "new", "", "path, from its end"));
    }
    for (Change change : changes.subList(0, Math.min(top, changes.size()))) {
      text.append(
          row(
              DiffWording.signed(change.difference(), unit),
              Amounts.of(change.base(), unit),
              Amounts.of(change.now(), unit),
              change.kind().name().toLowerCase(Locale.ROOT),
              DiffWording.path(diff.frames(change.node()))));
    }
    if (changes.size() > top) {
      text.append("  and ")
          .append(Amounts.count(changes.size() - top))
          .append(" smaller changes\n");
    }
  }

  private static String row(Object... cells) {
    return String.format(Locale.ROOT, ROW.replace("%n", "\n"), cells);
  }
}
