package org.buftrail.cli.diff;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.buftrail.profile.diff.Change;
import org.buftrail.profile.diff.Measure;
import org.buftrail.profile.diff.ProfileDiff;
import org.buftrail.profile.diff.Side;
import org.buftrail.profile.text.Amounts;
import org.buftrail.profile.text.Printable;

/** A comparison as text for a terminal. */
public final class DiffText {
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
    side("base  ", base, diff.base(), text);
    side("new   ", now, diff.now(), text);
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

  private static void side(String label, String name, Side side, StringBuilder text) {
    text.append(label).append(Printable.line(name));
    String known = Printable.line(side.text());
    text.append(known.isEmpty() ? "" : ": " + known).append('\n');
  }

  /** How the base was made comparable, in one sentence. */
  static String normalised(ProfileDiff diff) {
    Map<String, Set<String>> scaled = new LinkedHashMap<>();
    boolean gauges = false;
    for (Measure measure : diff.measures()) {
      gauges |= measure.isGauge();
      if (measure.scale() != ProfileDiff.Scale.NONE) {
        String by = measure.scale().name().toLowerCase(Locale.ROOT);
        scaled
            .computeIfAbsent(
                String.format(Locale.ROOT, "x %.4g by %s", measure.factor(), by),
                any -> new LinkedHashSet<>())
            .add(measure.isOfFlows() ? "flows" : "the rest");
      }
    }
    if (scaled.isEmpty()) {
      return "values as measured, not scaled";
    }
    List<String> parts = new ArrayList<>();
    scaled.forEach(
        (by, what) -> parts.add(scaled.size() == 1 ? by : String.join(" and ", what) + ' ' + by));
    return "base scaled: "
        + String.join(", ", parts)
        + (gauges ? "; what was live at one moment is as measured" : "");
  }

  private static void append(ProfileDiff diff, Measure measure, int top, StringBuilder text) {
    String unit = measure.unit();
    boolean scaled = measure.factor() != 1;
    text.append('\n').append(DiffWording.title(measure)).append("  ");
    text.append(DiffWording.sums(measure)).append('\n');
    List<Change> changes = diff.changes(measure);
    if (!changes.isEmpty()) {
      text.append(row("change", "base", scaled ? "scaled" : "", "new", "", "path, from its end"));
    }
    for (Change change : changes.subList(0, Math.min(top, changes.size()))) {
      text.append(
          row(
              DiffWording.signed(change.difference(), unit),
              Amounts.of(change.measuredBase(), unit),
              scaled ? Amounts.of(change.base(), unit) : "",
              Amounts.of(change.now(), unit),
              change.kind().name().toLowerCase(Locale.ROOT),
              DiffWording.path(measure, diff.frames(change.node()))));
    }
    if (changes.size() > top) {
      text.append("  and ")
          .append(Amounts.count(changes.size() - top))
          .append(" smaller changes\n");
    }
    int within = diff.withinError(measure);
    if (within > 0) {
      text.append("  ").append(DiffWording.leftOut(within)).append('\n');
    }
  }

  private static String row(String change, String base, String scaled, String... others) {
    String between = scaled.isEmpty() ? "" : String.format(Locale.ROOT, "  %12s", scaled);
    return String.format(
        Locale.ROOT,
        "  %12s  %12s%s  %12s  %-6s  %s\n",
        change,
        base,
        between,
        others[0],
        others[1],
        others[2]);
  }
}
