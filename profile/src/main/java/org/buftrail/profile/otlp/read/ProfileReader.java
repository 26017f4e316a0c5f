package org.buftrail.profile.otlp.read;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import org.buftrail.profile.otlp.schema.OtlpFields;
import org.buftrail.profile.otlp.schema.Schema;

/** Reads {@code Profile}. The original payload is passed over; only its length is kept. */
final class ProfileReader {
  private final FieldReader fields;

  ProfileReader(FieldReader fields) {
    this.fields = fields;
  }

  /** Reads a profile that has been entered. */
  void read(RawProfile profile) throws IOException {
    String samplePlace = profile.place + ".samples";
    fields.at(profile.place);
    int field;
    while ((field = fields.next(Schema.PROFILE)) != 0) {
      switch (field) {
        case OtlpFields.Profile.SAMPLES:
          fields.at(samplePlace, profile.size());
          readSample(profile);
          fields.at(profile.place);
          break;
        case OtlpFields.Profile.SAMPLE_TYPE:
        case OtlpFields.Profile.PERIOD_TYPE:
          readType(profile, field == OtlpFields.Profile.SAMPLE_TYPE);
          break;
        case OtlpFields.Profile.ATTRIBUTE_INDICES:
          fields.int32s(profile.attributes);
          break;
        default:
          readScalar(profile, field);
          break;
      }
    }
  }

  private void readScalar(RawProfile profile, int field) throws IOException {
    switch (field) {
      case OtlpFields.Profile.TIME_UNIX_NANO:
        profile.time = fields.fixed64();
        break;
      case OtlpFields.Profile.DURATION_NANO:
        profile.duration = fields.int64();
        break;
      case OtlpFields.Profile.PERIOD:
        profile.period = fields.int64();
        break;
      case OtlpFields.Profile.PROFILE_ID:
        profile.id = fields.bytes();
        break;
      case OtlpFields.Profile.ORIGINAL_PAYLOAD_FORMAT:
        profile.payloadFormat =
            fields.string("original_payload_format").getBytes(StandardCharsets.UTF_8);
        break;
      case OtlpFields.Profile.ORIGINAL_PAYLOAD:
        profile.payloadSize = fields.skipBytes();
        break;
      default:
        // dropped_attributes_count: any number will do.
        fields.int64();
        break;
    }
  }

  private void readType(RawProfile profile, boolean ofSamples) throws IOException {
    long outer = fields.enter();
    int field;
    while ((field = fields.next(Schema.VALUE_TYPE)) != 0) {
      int index = fields.int32();
      boolean unit = field == OtlpFields.ValueType.UNIT_STRINDEX;
      if (ofSamples && unit) {
        profile.sampleUnit = index;
      } else if (ofSamples) {
        profile.sampleType = index;
      } else if (unit) {
        profile.periodUnit = index;
      } else {
        profile.periodType = index;
      }
    }
    fields.leave(outer);
  }

  private void readSample(RawProfile profile) throws IOException {
    int stack = 0;
    int link = 0;
    long outer = fields.enter();
    int field;
    while ((field = fields.next(Schema.SAMPLE)) != 0) {
      switch (field) {
        case OtlpFields.Sample.STACK_INDEX:
          stack = fields.int32();
          break;
        case OtlpFields.Sample.LINK_INDEX:
          link = fields.int32();
          break;
        case OtlpFields.Sample.ATTRIBUTE_INDICES:
          fields.int32s(profile.sampleAttributes);
          break;
        case OtlpFields.Sample.VALUES:
          fields.int64s(profile.values, false);
          break;
        default:
          fields.int64s(profile.times, true);
          break;
      }
    }
    fields.leave(outer);
    profile.stack.add(stack);
    profile.link.add(link);
    profile.attributeRows.end(profile.sampleAttributes.size());
    profile.valueRows.end(profile.values.size());
    profile.timeRows.end(profile.times.size());
  }
}
