package org.buftrail.cli.output;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.buftrail.jfr.Stats;
import org.buftrail.jfr.kinds.EventKind;
import org.buftrail.jfr.kinds.Kinds;
import org.buftrail.profile.Profiles;

/** Why recordings became no profile: what they hold instead. */
public final class NothingToWrite {
  private static final int MOST_TYPES = 3;

  private NothingToWrite() {}

  /**
   * Ends the command unless there are profiles.
   *
   * @param isSelected whether options left something out
   */
  public static void refuse(List<Path> inputs, Profiles left, Stats stats, boolean isSelected)
      throws CommandFailure {
    if (left.profiles().isEmpty()) {
      String name = inputs.size() == 1 ? inputs.get(0) + ": " : "";
      throw new CommandFailure(name + "nothing to convert: " + reason(stats, isSelected));
    }
  }

  private static String reason(Stats stats, boolean isSelected) {
    Set<String> profiles = new LinkedHashSet<>();
    List<Stats.Row> rows = new ArrayList<>();
    for (Stats.Row row : stats.rows()) {
      if (row.found() == 0) {
        continue;
      }
      rows.add(row);
      EventKind kind = Kinds.of(row.event());
      if (kind != null) {
        profiles.addAll(kind.profiles());
      }
    }
    if (rows.isEmpty()) {
      return "there are no events";
    }
    if (isSelected && !profiles.isEmpty()) {
      return "the options select none of its events, which may go to "
          + String.join(", ", profiles);
    }
    return (profiles.isEmpty()
            ? "none of its events becomes a profile by itself; there are "
            : "none of its events can be converted; there are ")
        + most(rows);
  }

  /** The types with most events, and what to do about them. */
  private static String most(List<Stats.Row> rows) {
    rows.sort((a, b) -> Long.compare(b.found(), a.found()));
    List<String> names = new ArrayList<>();
    for (Stats.Row row : rows.subList(0, Math.min(MOST_TYPES, rows.size()))) {
      names.add(row.found() + " " + row.event());
    }
    int left = rows.size() - names.size();
    return String.join(", ", names)
        + (left == 0 ? "" : " and " + left + (left == 1 ? " more type" : " more types"))
        + " (buftrail info lists them; --event converts one)";
  }
}
