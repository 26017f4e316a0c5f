package org.buftrail.profile.otlp.read;

import org.buftrail.profile.Profile;
import org.buftrail.profile.Profiles;
import org.buftrail.profile.Samples;
import org.buftrail.profile.ValueType;
import org.buftrail.profile.dictionary.AttributeSetTable;
import org.buftrail.profile.dictionary.Dictionary;
import org.buftrail.profile.protobuf.MalformedMessageException;

/** Makes a profile of the model from one that was received. */
final class ProfileTranslation {
  private final Translation translation;
  private final Dictionary dictionary;

  ProfileTranslation(Translation translation, Dictionary dictionary) {
    this.translation = translation;
    this.dictionary = dictionary;
  }

  Profile translate(RawProfile raw) throws MalformedMessageException {
    ValueType sampleType = type(raw.sampleType, raw.sampleUnit);
    int set = translation.attributeSet(raw.attributes, 0, raw.attributes.size());
    int kind = kindOf(set);
    Samples samples = hasAllTimes(raw) ? observed(raw) : summed(raw);
    String name = kind == 0 ? "" : dictionary.attributes().text(kind);
    return new Profile(name, sampleType, samples, 0)
        .period(type(raw.periodType, raw.periodUnit), raw.period)
        .range(raw.time, raw.duration)
        .attributes(kind == 0 ? set : without(set, kind));
  }

  private ValueType type(int type, int unit) throws MalformedMessageException {
    return ValueType.of(
        translation.text(type, "type_strindex"), translation.text(unit, "unit_strindex"));
  }

  /** The attribute in a set that names the kind of the profile, or 0. */
  private int kindOf(int set) {
    int key = dictionary.strings().intern(Profiles.KIND);
    AttributeSetTable sets = dictionary.attributeSets();
    for (int k = 0; k < sets.length(set); k++) {
      if (dictionary.attributes().key(sets.attribute(set, k)) == key) {
        return sets.attribute(set, k);
      }
    }
    return 0;
  }

  private int without(int set, int attribute) {
    AttributeSetTable sets = dictionary.attributeSets();
    int[] rest = new int[sets.length(set)];
    for (int k = 0; k < rest.length; k++) {
      int member = sets.attribute(set, k);
      // Attribute 0 is passed over when the set is interned.
      rest[k] = member == attribute ? 0 : member;
    }
    return sets.intern(rest, 0, rest.length);
  }

  private static boolean hasAllTimes(RawProfile raw) {
    for (int i = 0; i < raw.size(); i++) {
      int times = raw.timeRows.length(i);
      int values = raw.valueRows.length(i);
      if (times == 0 || (values != 0 && values != times)) {
        return false;
      }
    }
    return raw.size() > 0;
  }

  private Samples observed(RawProfile raw) throws MalformedMessageException {
    Samples samples = Samples.observed(1);
    for (int i = 0; i < raw.size(); i++) {
      int stack = translation.stack(raw.stack.get(i));
      int set = attributeSet(raw, i);
      int link = translation.link(raw.link.get(i));
      int firstTime = raw.timeRows.from(i);
      int firstValue = raw.valueRows.from(i);
      boolean valued = raw.valueRows.length(i) > 0;
      for (int k = 0; k < raw.timeRows.length(i); k++) {
        long value = valued ? raw.values.get(firstValue + k) : 1;
        samples.observe(stack, set, link, raw.times.get(firstTime + k), value);
      }
    }
    return samples;
  }

  private Samples summed(RawProfile raw) throws MalformedMessageException {
    Samples samples = Samples.summed(1);
    for (int i = 0; i < raw.size(); i++) {
      int stack = translation.stack(raw.stack.get(i));
      int set = attributeSet(raw, i);
      int link = translation.link(raw.link.get(i));
      if (raw.valueRows.length(i) == 0) {
        samples.add(stack, set, link, raw.timeRows.length(i));
      }
      for (int k = raw.valueRows.from(i); k < raw.valueRows.to(i); k++) {
        samples.add(stack, set, link, raw.values.get(k));
      }
    }
    return samples;
  }

  private int attributeSet(RawProfile raw, int sample) throws MalformedMessageException {
    return translation.attributeSet(
        raw.sampleAttributes, raw.attributeRows.from(sample), raw.attributeRows.to(sample));
  }
}
