package org.buftrail.console.input;

import java.util.List;
import org.buftrail.profile.Profile;
import org.buftrail.profile.Profiles;
import org.buftrail.profile.Samples;
import org.buftrail.profile.ValueType;
import org.buftrail.profile.dictionary.AttributeSetTable;
import org.buftrail.profile.dictionary.Dictionary;
import org.buftrail.report.FlowProfiles;

/** Flows in a pprof file are one profile, with what became of them as a label. */
public final class FlowStates {
  private static final String ALLOCATED = "allocated_";

  private FlowStates() {}

  /**
   * Adds the profiles of live, leaked and dropped flows, as OTLP has them, to those of all, where
   * they are not there.
   */
  public static Profiles split(Profiles profiles) {
    for (Profile profile : List.copyOf(profiles.profiles())) {
      if (profile.sampleType().type().startsWith(ALLOCATED)) {
        add(profiles, profile, "live");
        add(profiles, profile, "leaked");
        add(profiles, profile, "dropped");
      }
    }
    return profiles;
  }

  private static void add(Profiles profiles, Profile all, String state) {
    Samples some = Samples.summed(1);
    for (int i = 0; i < all.samples().size(); i++) {
      int set = all.samples().attributeSet(i);
      if (state.equals(state(profiles.dictionary(), set))) {
        some.add(all.samples().stack(i), set, 0, all.value(i));
      }
    }
    String measure = all.sampleType().type().substring(ALLOCATED.length());
    ValueType type = ValueType.of(state + "_" + measure, all.sampleType().unit());
    boolean isThere = profiles.profiles().stream().anyMatch(p -> p.sampleType().equals(type));
    if (!some.isEmpty() && !isThere) {
      profiles.add(
          new Profile("", type, some, 0)
              .period(all.periodType(), all.period())
              .range(all.time(), all.duration()));
    }
  }

  private static String state(Dictionary dictionary, int set) {
    AttributeSetTable sets = dictionary.attributeSets();
    for (int i = 0; i < sets.length(set); i++) {
      int attribute = sets.attribute(set, i);
      String key = dictionary.strings().get(dictionary.attributes().key(attribute));
      if (key.equals(FlowProfiles.STATE)) {
        return dictionary.attributes().text(attribute);
      }
    }
    return "";
  }
}
