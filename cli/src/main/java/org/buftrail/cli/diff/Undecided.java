package org.buftrail.cli.diff;

import java.util.List;
import org.buftrail.profile.Profile;
import org.buftrail.profile.Profiles;
import org.buftrail.profile.dictionary.AttributeSetTable;
import org.buftrail.profile.dictionary.AttributeTable;
import org.buftrail.profile.dictionary.AttributeTable.Kind;
import org.buftrail.profile.text.Amounts;
import org.buftrail.report.FlowProfiles;

/** Flows about which no collection has decided: any of them may be a new leak. */
public final class Undecided {
  private Undecided() {}

  /** What is undecided, in one line; empty where nothing is, or where the format cannot say so. */
  public static List<String> failures(List<Profiles> all) {
    long most = 0;
    for (Profiles profiles : all) {
      for (Profile profile : profiles.profiles()) {
        most = Math.max(most, of(profiles, profile));
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

  private static long of(Profiles profiles, Profile profile) {
    AttributeSetTable sets = profiles.dictionary().attributeSets();
    AttributeTable attributes = profiles.dictionary().attributes();
    int set = profile.attributeSet();
    for (int i = 0; i < sets.length(set); i++) {
      int attribute = sets.attribute(set, i);
      String key = profiles.dictionary().strings().get(attributes.key(attribute));
      if (key.equals(FlowProfiles.UNDECIDED) && attributes.kind(attribute) == Kind.LONG) {
        return attributes.longValue(attribute);
      }
    }
    return 0;
  }
}
