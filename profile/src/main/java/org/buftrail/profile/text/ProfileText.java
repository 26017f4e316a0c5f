package org.buftrail.profile.text;

import java.io.IOException;
import java.util.List;
import java.util.Locale;
import org.buftrail.profile.MethodCost;
import org.buftrail.profile.Profile;
import org.buftrail.profile.Profiles;

/**
 * Profiles as text for a terminal: of each its sum, and the functions with the largest share, their
 * own and with what they call.
 */
public final class ProfileText {
  private static final int SHOWN = 10;

  private ProfileText() {}

  /**
   * Writes the text, which ends with a line feed.
   *
   * @throws IOException when {@code out} does
   */
  public static void write(Profiles profiles, Appendable out) throws IOException {
    if (profiles.profiles().isEmpty()) {
      out.append("no profiles\n");
    }
    String separator = "";
    for (Profile profile : profiles.profiles()) {
      out.append(separator).append(of(profile, profiles.hottest(profile, SHOWN)));
      separator = "\n";
    }
  }

  private static String of(Profile profile, List<MethodCost> largest) {
    String unit = profile.sampleType().unit();
    long total = profile.total();
    StringBuilder text = new StringBuilder();
    String kind = profile.name().isEmpty() ? "" : Printable.line(profile.name()) + ": ";
    text.append(kind).append(Printable.line(profile.sampleType().toString())).append("  ");
    text.append(Amounts.of(total, unit)).append(", ");
    int size = profile.samples().size();
    text.append(Amounts.count(size)).append(size == 1 ? " sample\n" : " samples\n");
    if (!largest.isEmpty()) {
      text.append(row("self", "", "with callees", "", "function"));
    }
    for (MethodCost cost : largest) {
      text.append(
          row(
              Amounts.of(cost.self(), unit),
              percent(cost.self(), total),
              Amounts.of(cost.total(), unit),
              percent(cost.total(), total),
              Printable.line(cost.name())));
    }
    return text.toString();
  }

  private static String percent(long part, long total) {
    return total == 0 ? "" : String.format(Locale.ROOT, "%.1f %%", 100.0 * part / total);
  }

  private static String row(Object... cells) {
    return String.format(Locale.ROOT, "  %14s %7s  %14s %7s  %s\n", cells);
  }
}
