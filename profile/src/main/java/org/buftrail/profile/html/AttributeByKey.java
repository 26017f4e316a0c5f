package org.buftrail.profile.html;

import org.buftrail.profile.dictionary.AttributeSetTable;
import org.buftrail.profile.dictionary.AttributeTable;
import org.buftrail.profile.dictionary.Dictionary;

/** One attribute of samples or frames, by its key. */
final class AttributeByKey {
  private final AttributeTable attributes;
  private final AttributeSetTable sets;
  private final int key;

  AttributeByKey(Dictionary dictionary, String key) {
    this.attributes = dictionary.attributes();
    this.sets = dictionary.attributeSets();
    this.key = dictionary.strings().intern(key);
  }

  /** Its value in a set as text; empty where the set has none. */
  String in(int set) {
    for (int i = 0; i < sets.length(set); i++) {
      int attribute = sets.attribute(set, i);
      if (attributes.key(attribute) == key) {
        return attributes.text(attribute);
      }
    }
    return "";
  }
}
