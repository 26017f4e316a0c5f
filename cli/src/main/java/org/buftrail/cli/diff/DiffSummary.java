package org.buftrail.cli.diff;

import java.util.List;
import java.util.Locale;
import org.buftrail.profile.diff.Change;
import org.buftrail.profile.diff.Measure;
import org.buftrail.profile.diff.ProfileDiff;
import org.buftrail.profile.diff.Side;
import org.buftrail.profile.text.Amounts;
import org.buftrail.profile.text.Printable;

/** A comparison in Markdown, as the summary of a step of GitHub Actions and its like. */
public final class DiffSummary {
  private static final int CHANGES = 10;

  private DiffSummary() {}

  /**
   * The text, ending with a line feed.
   *
   * @param base name of the one side
   * @param now name of the other
   * @param failed what is not as it should be, each in one line
   */
  public static String of(ProfileDiff diff, String base, String now, List<String> failed) {
    StringBuilder text = new StringBuilder();
    text.append("### ").append(failed.isEmpty() ? "✅" : "❌").append(" Buftrail: ");
    text.append(code(base)).append(" → ").append(code(now)).append("\n\n");
    side("base", diff.base(), text);
    side("new", diff.now(), text);
    for (String reason : failed) {
      text.append("- **").append(escaped(reason)).append("**\n");
    }
    text.append(failed.isEmpty() ? "" : "\n");
    text.append("| measure | base | scaled | new | change | sampling error |\n");
    text.append("|---|--:|--:|--:|--:|--:|\n");
    for (Measure measure : diff.measures()) {
      text.append("| ").append(escaped(DiffWording.title(measure))).append(" | ");
      text.append(Amounts.of(measure.measuredBaseTotal(), measure.unit())).append(" | ");
      text.append(Amounts.of(measure.baseTotal(), measure.unit())).append(" | ");
      text.append(Amounts.of(measure.nowTotal(), measure.unit())).append(" | ");
      text.append(measure.growthPercent() == 0 ? "–" : DiffWording.growth(measure)).append(" | ");
      String error = DiffWording.error(measure, "");
      text.append(error.isEmpty() ? "–" : error.replace("sampling error ", "")).append(" |\n");
    }
    for (Measure measure : diff.measures()) {
      append(diff, measure, text);
    }
    return text.append("\n_").append(DiffText.normalised(diff)).append("_\n").toString();
  }

  private static void side(String label, Side side, StringBuilder text) {
    if (!side.text().isEmpty()) {
      text.append("- ").append(label).append(": ").append(escaped(side.text())).append('\n');
    }
  }

  private static void append(ProfileDiff diff, Measure measure, StringBuilder text) {
    List<Change> changes = diff.changes(measure);
    if (changes.isEmpty()) {
      return;
    }
    text.append("\n<details><summary>").append(escaped(DiffWording.title(measure)));
    text.append(": ").append(Amounts.count(changes.size()));
    text.append(changes.size() == 1 ? " change" : " changes").append("</summary>\n\n");
    text.append("| change | | path, from its end |\n|--:|---|---|\n");
    for (Change change : changes.subList(0, Math.min(CHANGES, changes.size()))) {
      text.append("| ")
          .append(DiffWording.signed(change.difference(), measure.unit()))
          .append(" | ");
      text.append(change.kind().name().toLowerCase(Locale.ROOT)).append(" | ");
      text.append(code(DiffWording.path(measure, diff.frames(change.node())))).append(" |\n");
    }
    text.append("\n</details>\n");
  }

  private static String code(String text) {
    return '`' + Printable.line(text).replace('`', '\'').replace("|", "\\|") + '`';
  }

  private static String escaped(String text) {
    return Printable.line(text)
        .replace("&", "&amp;")
        .replace("<", "&lt;")
        .replace("|", "\\|")
        .replace("_", "\\_");
  }
}
