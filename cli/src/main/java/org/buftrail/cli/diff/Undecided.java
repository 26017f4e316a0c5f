package org.buftrail.cli.diff;

import java.util.List;
import org.buftrail.profile.Profile;
import org.buftrail.profile.Profiles;
import org.buftrail.profile.text.Amounts;
import org.buftrail.report.FlowProfiles;

/** Flows about which no collection has decided: any of them may be a new leak. */
public final class Undecided {
  private Undecided() {}

  /** The undecided flows, in one line; empty if there are none, or if the format cannot say so. */
  public static List<String> failures(List<Profiles> all) {
    long most = 0;
    for (Profiles profiles : all) {
      for (Profile profile : profiles.profiles()) {
        most = Math.max(most, ProfileNumber.of(profiles, profile, FlowProfiles.UNDECIDED, 0));
      }
    }
    return most == 0
        ? List.of()
        : List.of(
            "undecided: "
                + Amounts.count(most)
                + (most == 1 ? " live flow" : " live flows")
                + " may be lost; have a collection decide (dump --gc, or collectAtEnd=true), or give"
                + " --allow-undecided");
  }
}
