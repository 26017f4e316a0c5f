package org.buftrail.cli.shape;

import org.buftrail.profile.Profile;
import org.buftrail.profile.dictionary.AttributeSetTable;
import org.buftrail.profile.dictionary.AttributeTable;
import org.buftrail.profile.dictionary.Dictionary;
import org.jspecify.annotations.Nullable;

/** One attribute of samples, by its key. */
final class SampleAttribute {
  private final AttributeTable attributes;
  private final AttributeSetTable sets;
  private final int key;

  SampleAttribute(Dictionary dictionary, String key) {
    this.attributes = dictionary.attributes();
    this.sets = dictionary.attributeSets();
    this.key = dictionary.strings().intern(key);
  }

  /** Its value, or null where the sample has none. */
  @Nullable String of(Profile profile, int sample) {
    int set = profile.samples().attributeSet(sample);
    for (int i = 0; i < sets.length(set); i++) {
      int attribute = sets.attribute(set, i);
      if (attributes.key(attribute) == key) {
        return attributes.text(attribute);
      }
    }
    return null;
  }
}
