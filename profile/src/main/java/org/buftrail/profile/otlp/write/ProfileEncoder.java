package org.buftrail.profile.otlp.write;

import org.buftrail.profile.Observations;
import org.buftrail.profile.Payload;
import org.buftrail.profile.Profile;
import org.buftrail.profile.Samples;
import org.buftrail.profile.ValueType;
import org.buftrail.profile.dictionary.Dictionary;
import org.buftrail.profile.otlp.schema.OtlpFields;
import org.buftrail.profile.protobuf.ProtobufEncoder;
import org.buftrail.profile.protobuf.WireType;

/**
 * Encodes one profile. {@code Profile}. All its samples have one shape: a value; or, when they were
 * observed, times alone if every value is 1, else a value for each time.
 */
final class ProfileEncoder {
  private static final int VARINT = 10;
  private static final int FIELD = 32;

  // Below 128 bytes, so that its length takes one byte.
  private static final int PLAIN_SAMPLE = 2 + 3 * (2 + VARINT) + AttributeSetEncoder.SMALL;

  private final ProtobufEncoder encoder;
  private final UsedEntries used;
  private final AttributeSetEncoder sets;

  ProfileEncoder(ProtobufEncoder encoder, UsedEntries used) {
    this.encoder = encoder;
    this.used = used;
    this.sets = new AttributeSetEncoder(encoder, used, OtlpFields.Sample.ATTRIBUTE_INDICES);
  }

  /** Begins a message. */
  void begin() {
    sets.begin();
  }

  void encode(Profile profile, Dictionary dictionary, int field) {
    int mark = encoder.open(field, Long.MAX_VALUE);
    encodeType(OtlpFields.Profile.SAMPLE_TYPE, profile.sampleType(), dictionary);
    if (profile.samples().isObserved()) {
      encodeObserved(profile, dictionary);
    } else {
      encodeSummed(profile, false, dictionary);
    }
    encodeFacts(profile, dictionary);
    Payload payload = profile.payload();
    if (payload != null) {
      encoder.writeString(OtlpFields.Profile.ORIGINAL_PAYLOAD_FORMAT, payload.format());
      encoder.writePayload(OtlpFields.Profile.ORIGINAL_PAYLOAD, payload);
    }
    encoder.close(mark);
  }

  /**
   * Encodes the time of a profile's samples. It is without time stamps, which the samples
   * themselves have: Pyroscope refuses several values of one sample.
   */
  void encodeTime(Profile profile, Dictionary dictionary, int field) {
    int mark = encoder.open(field, Long.MAX_VALUE);
    encodeType(OtlpFields.Profile.SAMPLE_TYPE, profile.periodType(), dictionary);
    encodeSummed(profile, true, dictionary);
    encodeFacts(profile, dictionary);
    encoder.close(mark);
  }

  private void encodeFacts(Profile profile, Dictionary dictionary) {
    if (profile.time() != 0) {
      encoder.writeFixed64(OtlpFields.Profile.TIME_UNIX_NANO, profile.time());
    }
    encoder.writeNumber(OtlpFields.Profile.DURATION_NANO, profile.duration());
    encodeType(OtlpFields.Profile.PERIOD_TYPE, profile.periodType(), dictionary);
    encoder.writeNumber(OtlpFields.Profile.PERIOD, profile.period());
    int set = UsedEntries.attributeSet(profile, dictionary);
    sets.encode(OtlpFields.Profile.ATTRIBUTE_INDICES, set, dictionary);
  }

  private void encodeType(int field, ValueType type, Dictionary dictionary) {
    if (type.equals(ValueType.NONE)) {
      return;
    }
    int mark = encoder.open(field, 2 * FIELD);
    encoder.writeNumber(
        OtlpFields.ValueType.TYPE_STRINDEX,
        used.strings.of(dictionary.strings().intern(type.type())));
    encoder.writeNumber(
        OtlpFields.ValueType.UNIT_STRINDEX,
        used.strings.of(dictionary.strings().intern(type.unit())));
    encoder.close(mark);
  }

  private void encodeSummed(Profile profile, boolean asTime, Dictionary dictionary) {
    Samples samples = profile.samples();
    for (int i = 0; i < samples.size(); i++) {
      long value = asTime ? profile.sampledNanos(i) : profile.value(i);
      if (!encodePlain(samples, i, value, dictionary)) {
        int set = samples.attributeSet(i);
        long room = 3 * FIELD + AttributeSetEncoder.room(set, dictionary);
        int mark = encoder.open(OtlpFields.Profile.SAMPLES, room);
        encodeIdentity(samples, i, dictionary);
        int values = encoder.open(OtlpFields.Sample.VALUES, VARINT);
        encoder.varint(value);
        encoder.close(values);
        encoder.close(mark);
      }
    }
  }

  /**
   * A sample of few attributes. What recordings have by the ten thousand, hence in local variables.
   *
   * @return false, and nothing is encoded, if it has many attributes
   */
  private boolean encodePlain(Samples samples, int sample, long value, Dictionary dictionary) {
    byte[] target = encoder.reserve(PLAIN_SAMPLE);
    int start = encoder.position();
    int at = start + 2;
    at = put(target, at, OtlpFields.Sample.STACK_INDEX, used.stacks.of(samples.stack(sample)));
    at = sets.putSmall(target, at, samples.attributeSet(sample), dictionary);
    if (at < 0) {
      return false;
    }
    at = put(target, at, OtlpFields.Sample.LINK_INDEX, used.links.of(samples.link(sample)));
    int valueStart = at + 2;
    int end = ProtobufEncoder.put(target, valueStart, value);
    target[at] = WireType.tag(OtlpFields.Sample.VALUES, WireType.LENGTH);
    target[at + 1] = (byte) (end - valueStart);
    target[start] = WireType.tag(OtlpFields.Profile.SAMPLES, WireType.LENGTH);
    target[start + 1] = (byte) (end - start - 2);
    encoder.advance(end);
    return true;
  }

  private static int put(byte[] target, int at, int field, int index) {
    if (index == 0) {
      return at;
    }
    target[at] = WireType.tag(field, WireType.VARINT);
    return ProtobufEncoder.put(target, at + 1, index);
  }

  private void encodeObserved(Profile profile, Dictionary dictionary) {
    Samples samples = profile.samples();
    Observations observations = samples.observations();
    boolean timesAlone = observations.areOnes(profile.column());
    for (int i = 0; i < samples.size(); i++) {
      int set = samples.attributeSet(i);
      int count = observations.count(i);
      long valueRoom = timesAlone ? 0 : (long) VARINT * count;
      long timeRoom = (long) Long.BYTES * count;
      long room = 4 * FIELD + AttributeSetEncoder.room(set, dictionary) + valueRoom + timeRoom;
      int mark = encoder.open(OtlpFields.Profile.SAMPLES, room);
      encodeIdentity(samples, i, dictionary);
      if (!timesAlone) {
        int values = encoder.open(OtlpFields.Sample.VALUES, valueRoom);
        for (int k = 0; k < count; k++) {
          encoder.varint(observations.value(i, k, profile.column()));
        }
        encoder.close(values);
      }
      int times = encoder.open(OtlpFields.Sample.TIMESTAMPS_UNIX_NANO, timeRoom);
      for (int k = 0; k < count; k++) {
        encoder.fixed64(observations.time(i, k));
      }
      encoder.close(times);
      encoder.close(mark);
    }
  }

  private void encodeIdentity(Samples samples, int sample, Dictionary dictionary) {
    encoder.writeNumber(OtlpFields.Sample.STACK_INDEX, used.stacks.of(samples.stack(sample)));
    sets.encode(OtlpFields.Sample.ATTRIBUTE_INDICES, samples.attributeSet(sample), dictionary);
    encoder.writeNumber(OtlpFields.Sample.LINK_INDEX, used.links.of(samples.link(sample)));
  }
}
