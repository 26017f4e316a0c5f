package org.buftrail.profile.otlp.check;

import java.util.function.BiConsumer;
import org.buftrail.profile.otlp.Violations;
import org.buftrail.profile.otlp.read.RawDictionary;
import org.buftrail.profile.otlp.read.RawProfile;

/** Checks one profile: types, period, range, and its samples. */
final class ProfileCheck {
  private static final int ID = 16;

  /** What a sample consists of; all samples of a profile have one shape. */
  private enum Shape {
    VALUE("a value"),
    TIMES("time stamps"),
    VALUES_AND_TIMES("values with time stamps"),
    NOTHING("nothing");

    final String text;

    Shape(String text) {
      this.text = text;
    }
  }

  private final RawDictionary dictionary;
  private final Violations violations;
  private final References references;

  ProfileCheck(RawDictionary dictionary, Violations violations) {
    this.dictionary = dictionary;
    this.violations = violations;
    this.references = new References(dictionary, violations);
  }

  void check(RawProfile profile) {
    String place = profile.place;
    if (checkType(place + ".sample_type", profile.sampleType, profile.sampleUnit)) {
      missing(place + ".sample_type", profile.sampleType, profile.sampleUnit, violations::add);
    }
    if (profile.period == 0) {
      violations.advise(place + ".period", "is 0; backends drop such profiles");
    } else if (profile.period < 0) {
      violations.add(place + ".period=" + profile.period, "is negative");
    }
    if (checkType(place + ".period_type", profile.periodType, profile.periodUnit)) {
      missing(place + ".period_type", profile.periodType, profile.periodUnit, violations::advise);
    }
    if (profile.time == 0) {
      violations.advise(place + ".time_unix_nano", "is 0");
    }
    if (profile.id.length != 0 && profile.id.length != ID) {
      violations.add(place + ".profile_id", "has " + profile.id.length + " bytes instead of " + ID);
    } else if (profile.id.length == ID && DictionaryCheck.isZero(profile.id)) {
      violations.add(place + ".profile_id", "has only zeros, which is not valid");
    }
    if ((profile.payloadFormat.length == 0) != (profile.payloadSize == 0)) {
      violations.add(
          place + ".original_payload", "payload and format must be set together or not at all");
    }
    references.checkAttributes(place, -1, profile.attributes, 0, profile.attributes.size());
    checkSamples(profile, place + ".samples");
  }

  /** Whether both are entries of the string table. */
  private boolean checkType(String place, int type, int unit) {
    boolean hasType = references.checkString(place, -1, ".type_strindex", type);
    boolean hasUnit = references.checkString(place, -1, ".unit_strindex", unit);
    return hasType && hasUnit;
  }

  private static void missing(
      String place, int type, int unit, BiConsumer<String, String> violation) {
    if (type == 0) {
      violation.accept(place, "has no type");
    }
    if (unit == 0) {
      violation.accept(place, "has no unit");
    }
  }

  private void checkSamples(RawProfile profile, String place) {
    Shape first = Shape.NOTHING;
    for (int i = 0; i < profile.size(); i++) {
      references.check(
          place, i, ".stack_index", profile.stack.get(i), "stack_table", dictionary.stacks.size());
      references.check(
          place, i, ".link_index", profile.link.get(i), "link_table", dictionary.links.size());
      references.checkAttributes(
          place,
          i,
          profile.sampleAttributes,
          profile.attributeRows.from(i),
          profile.attributeRows.to(i));
      Shape shape = checkShape(profile, place, i);
      if (first == Shape.NOTHING) {
        first = shape;
      } else if (shape != first && shape != Shape.NOTHING) {
        violations.add(place, i, "", "has " + shape.text + ", the first has " + first.text);
      }
      checkTimes(profile, place, i);
    }
  }

  private Shape checkShape(RawProfile profile, String place, int sample) {
    int values = profile.valueRows.length(sample);
    int times = profile.timeRows.length(sample);
    if (values == 0 && times == 0) {
      violations.add(place, sample, "", "has neither values nor time stamps");
      return Shape.NOTHING;
    }
    if (values == 0) {
      return Shape.TIMES;
    }
    if (times == 0) {
      if (values > 1) {
        violations.add(place, sample, ".values", "has " + values + " of them and no time stamps");
      }
      return Shape.VALUE;
    }
    if (values != times) {
      violations.add(
          place, sample, ".values", "has " + values + " of them and " + times + " time stamps");
    }
    return Shape.VALUES_AND_TIMES;
  }

  private void checkTimes(RawProfile profile, String place, int sample) {
    int from = profile.timeRows.from(sample);
    for (int k = from; k < profile.timeRows.to(sample); k++) {
      long time = profile.times.get(k);
      // Unsigned; in a range whose sum overflows lies nothing, for OpenTelemetry's checker too.
      boolean inside =
          Long.compareUnsigned(time, profile.time) >= 0
              && Long.compareUnsigned(time, profile.time + profile.duration) < 0;
      if (!inside) {
        violations.add(
            place,
            sample,
            ".timestamps_unix_nano[" + (k - from) + "]=" + Long.toUnsignedString(time),
            "lies outside of the profile's "
                + Long.toUnsignedString(profile.time)
                + " + "
                + Long.toUnsignedString(profile.duration));
      }
    }
  }
}
