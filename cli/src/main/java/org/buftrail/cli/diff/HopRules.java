package org.buftrail.cli.diff;

import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.buftrail.model.Snapshot;
import org.buftrail.profile.Profile;
import org.buftrail.profile.Profiles;
import org.buftrail.report.FlowProfiles;

/** Tells whether the paths of two sides were made by the same rules. */
public final class HopRules {
  private static final Set<Long> BY_OPTION =
      Set.of((long) Snapshot.HOP_RULES, (long) Snapshot.HOP_RULES_FEWER);

  private HopRules() {}

  /**
   * Returns what keeps the paths of two sides from being compared, in words that follow their
   * names; empty where nothing does, or where a side does not say that it has flows.
   */
  public static String difference(List<Profiles> base, List<Profiles> now) {
    Set<Long> before = of(base);
    Set<Long> after = of(now);
    return before.isEmpty() || after.isEmpty() || before.equals(after)
        ? ""
        : "have paths by different rules of hops ("
            + text(before)
            + " and "
            + text(after)
            + "), so that one program leaks on other paths; "
            + remedy(before, after);
  }

  /** Returns what to do where the rules of two inputs differ. */
  public static String remedy(Set<Long> one, Set<Long> other) {
    return BY_OPTION.containsAll(one) && BY_OPTION.containsAll(other)
        ? "take both with fewerHops=true, or both without"
        : "take both with one version of the agent";
  }

  private static Set<Long> of(List<Profiles> all) {
    Set<Long> rules = new TreeSet<>();
    for (Profiles profiles : all) {
      for (Profile profile : profiles.profiles()) {
        // Every profile of flows states how many of them were followed.
        if (ProfileNumber.of(profiles, profile, FlowProfiles.SAMPLING, 0) > 0) {
          rules.add(
              ProfileNumber.of(
                  profiles, profile, FlowProfiles.HOP_RULES, Snapshot.FIRST_HOP_RULES));
        }
      }
    }
    return rules;
  }

  private static String text(Set<Long> rules) {
    StringBuilder text = new StringBuilder();
    for (long each : rules) {
      text.append(text.length() == 0 ? "" : ", ").append(each);
    }
    return text.toString();
  }
}
