package org.buftrail.cli.diff;

import org.buftrail.profile.Profile;
import org.buftrail.profile.Profiles;
import org.buftrail.profile.dictionary.AttributeSetTable;
import org.buftrail.profile.dictionary.AttributeTable;
import org.buftrail.profile.dictionary.AttributeTable.Kind;

/** A whole number among the attributes of a profile. */
final class ProfileNumber {
  private ProfileNumber() {}

  /** Returns the value of {@code key}, or {@code absent} where there is none. */
  static long of(Profiles profiles, Profile profile, String key, long absent) {
    AttributeSetTable sets = profiles.dictionary().attributeSets();
    AttributeTable attributes = profiles.dictionary().attributes();
    int set = profile.attributeSet();
    for (int i = 0; i < sets.length(set); i++) {
      int attribute = sets.attribute(set, i);
      if (attributes.kind(attribute) == Kind.LONG
          && profiles.dictionary().strings().get(attributes.key(attribute)).equals(key)) {
        return attributes.longValue(attribute);
      }
    }
    return absent;
  }
}
