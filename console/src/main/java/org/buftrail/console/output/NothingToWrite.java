package org.buftrail.console.output;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.buftrail.console.input.ReadFlows;
import org.buftrail.console.input.ReadRecording;
import org.buftrail.jfr.Conversion;
import org.buftrail.jfr.Damage;
import org.buftrail.jfr.Stats;
import org.buftrail.jfr.kinds.EventKind;
import org.buftrail.jfr.kinds.Kinds;
import org.buftrail.profile.Profile;
import org.buftrail.profile.Profiles;
import org.buftrail.profile.input.ReadProfiles;
import org.buftrail.profile.text.Amounts;

/**
 * Decides whether inputs hold nothing, for every command and form, and says what they hold instead.
 */
public final class NothingToWrite {
  private static final int MOST_TYPES = 3;

  private NothingToWrite() {}

  /**
   * Ends the command. For one recording it says all in one line, its damages too.
   *
   * @param isSelected whether options left something out
   */
  public static CommandFailure of(List<Path> inputs, Conversion converted, boolean isSelected) {
    String said = "nothing to convert: " + reason(converted.stats(), isSelected);
    return new CommandFailure(
        (inputs.size() == 1 ? inputs.get(0) + ": " + said : said)
            + (saysDamages(inputs, converted) ? damages(converted.damages()) : ""));
  }

  /**
   * What was read, if that is anything.
   *
   * @param input what the user calls it
   * @throws CommandFailure if there is no profile, or no value in any; of flows, none is a result
   */
  public static ReadProfiles refuse(Path input, ReadProfiles read) throws CommandFailure {
    if (read instanceof ReadFlows) {
      return read;
    }
    boolean hasProfiles = false;
    for (Profiles profiles : read.profiles()) {
      for (Profile profile : profiles.profiles()) {
        hasProfiles = true;
        if (hasValue(profile)) {
          return read;
        }
      }
    }
    if (!hasProfiles && read instanceof ReadRecording recording) {
      throw of(List.of(input), recording.conversion(), false);
    }
    throw new CommandFailure(
        input
            + ": holds no "
            + (hasProfiles ? "samples: each value is 0, or there is none" : "profiles"));
  }

  private static boolean hasValue(Profile profile) {
    for (int i = 0; i < profile.samples().size(); i++) {
      if (profile.value(i) != 0) {
        return true;
      }
    }
    return false;
  }

  /** Like the above on a terminal, which shows the damages first, unless the line says them. */
  public static CommandFailure of(
      List<Path> inputs, Conversion converted, boolean isSelected, Terminal terminal) {
    if (!saysDamages(inputs, converted)) {
      Damages.name(converted, terminal);
    }
    return of(inputs, converted, isSelected);
  }

  /** Whether what ends the command says the damages; one input may stand for several files. */
  private static boolean saysDamages(List<Path> inputs, Conversion converted) {
    return inputs.size() == 1
        && converted.damages().stream().allMatch(damage -> damage.file().equals(inputs.get(0)));
  }

  private static String damages(List<Damage> damages) {
    if (damages.isEmpty()) {
      return "";
    }
    int others = damages.size() - 1;
    return "; "
        + damages.get(0).text()
        + (others == 0
            ? ""
            : " (and " + Amounts.counted(others, "more damage", "more damages") + ")");
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
        + (left == 0 ? "" : " and " + Amounts.counted(left, "more type", "more types"))
        + " (buftrail info lists them; --event converts one)";
  }
}
