package org.buftrail.profile.trie;

import org.buftrail.profile.dictionary.AttributeSetTable;
import org.buftrail.profile.dictionary.AttributeTable;
import org.buftrail.profile.dictionary.Dictionary;

/** One attribute of samples or frames, by its key. Belongs to one thread. */
public final class AttributeByKey {
  private final AttributeTable attributes;
  private final AttributeSetTable sets;
  private final int key;

  /**
   * @param dictionary whose sets are asked
   * @param key of the attribute
   */
  public AttributeByKey(Dictionary dictionary, String key) {
    this.attributes = dictionary.attributes();
    this.sets = dictionary.attributeSets();
    this.key = dictionary.strings().intern(key);
  }

  /** Its value in a set as text; empty where the set has none. */
  public String in(int set) {
    for (int i = 0; i < sets.length(set); i++) {
      int attribute = sets.attribute(set, i);
      if (attributes.key(attribute) == key) {
        return attributes.text(attribute);
      }
    }
    return "";
  }
}
