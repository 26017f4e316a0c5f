package org.buftrail.profile.otlp.write;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.List;
import org.buftrail.profile.Profile;
import org.buftrail.profile.Profiles;
import org.buftrail.profile.dictionary.Dictionary;
import org.buftrail.profile.otlp.schema.OtlpFields;
import org.buftrail.profile.otlp.schema.SampledTime;
import org.buftrail.profile.protobuf.ProtobufEncoder;

/**
 * Writes profiles as OTLP protobuf: {@code ProfilesData}, whose bytes are also a valid {@code
 * ExportProfilesServiceRequest}.
 *
 * <p>Profiles of one sample type are all that the format has, so the time of counted samples is a
 * profile of its own, behind all others ({@link SampledTime}).
 *
 * <p>Entries of the dictionary that no sample uses are left out. The encoded message is held in
 * memory once, except for original payloads, which are copied from their source as the message is
 * written. Reusable; keeps its memory for the next message. Belongs to one thread.
 */
public final class OtlpWriter {
  private final ProtobufEncoder encoder = new ProtobufEncoder();
  private final UsedEntries used = new UsedEntries();
  private final DictionaryEncoder dictionaryEncoder;
  private final ProfileEncoder profileEncoder;
  private final AnyValueEncoder anyValueEncoder = new AnyValueEncoder(encoder);

  public OtlpWriter() {
    dictionaryEncoder = new DictionaryEncoder(encoder, used);
    profileEncoder = new ProfileEncoder(encoder, used);
  }

  /**
   * Writes the profiles of one resource.
   *
   * @throws IOException if the target cannot be written, or a payload cannot be read
   * @throws IllegalArgumentException if the message is longer than protobuf allows
   */
  public void write(Profiles profiles, OutputStream target) throws IOException {
    write(List.of(profiles), target);
  }

  /**
   * Writes the profiles of several resources or scopes. All must be over the same dictionary.
   *
   * @throws IOException if the target cannot be written, or a payload cannot be read
   * @throws IllegalArgumentException if the message is longer than protobuf allows
   */
  public void write(List<Profiles> all, OutputStream target) throws IOException {
    encode(all);
    encoder.writeTo(target);
    encoder.clear();
  }

  /** The message as an array. */
  public byte[] toByteArray(Profiles profiles) throws IOException {
    encode(List.of(profiles));
    byte[] message = encoder.toByteArray();
    encoder.clear();
    return message;
  }

  /** The length of the message in bytes. */
  public long size(Profiles profiles) {
    encode(List.of(profiles));
    long size = encoder.size();
    encoder.clear();
    return size;
  }

  /** The message as a stream, which is void when this writer is used again. */
  public InputStream open(List<Profiles> all) {
    encode(all);
    return encoder.open();
  }

  private void encode(List<Profiles> all) {
    encoder.clear();
    Dictionary dictionary = dictionaryOf(all);
    used.find(all, dictionary);
    profileEncoder.begin();
    for (Profiles profiles : all) {
      encodeResource(profiles);
    }
    dictionaryEncoder.encode(dictionary, OtlpFields.ProfilesData.DICTIONARY);
    if (encoder.size() > Integer.MAX_VALUE) {
      throw new IllegalArgumentException(
          "the message has "
              + encoder.size()
              + " bytes, protobuf allows 2147483647; leave out the original payload or split");
    }
  }

  private static Dictionary dictionaryOf(List<Profiles> all) {
    Dictionary dictionary = all.isEmpty() ? new Dictionary() : all.get(0).dictionary();
    for (Profiles profiles : all) {
      if (profiles.dictionary() != dictionary) {
        throw new IllegalArgumentException("profiles over different dictionaries");
      }
    }
    return dictionary;
  }

  private void encodeResource(Profiles profiles) {
    int mark = encoder.open(OtlpFields.ProfilesData.RESOURCE_PROFILES, Long.MAX_VALUE);
    if (!profiles.resource().isEmpty()) {
      int resource = encoder.open(OtlpFields.ResourceProfiles.RESOURCE, Long.MAX_VALUE);
      anyValueEncoder.encode(profiles.resource(), OtlpFields.Resource.ATTRIBUTES);
      encoder.close(resource);
    }
    int scoped = encoder.open(OtlpFields.ResourceProfiles.SCOPE_PROFILES, Long.MAX_VALUE);
    encodeScope(profiles);
    for (Profile profile : profiles.profiles()) {
      profileEncoder.encode(profile, profiles.dictionary(), OtlpFields.ScopeProfiles.PROFILES);
    }
    for (Profile profile : profiles.profiles()) {
      if (SampledTime.isWritten(profile, profiles.profiles())) {
        profileEncoder.encodeTime(
            profile, profiles.dictionary(), OtlpFields.ScopeProfiles.PROFILES);
      }
    }
    if (!profiles.schemaUrl().isEmpty()) {
      encoder.writeString(OtlpFields.ScopeProfiles.SCHEMA_URL, profiles.schemaUrl());
    }
    encoder.close(scoped);
    if (!profiles.schemaUrl().isEmpty()) {
      encoder.writeString(OtlpFields.ResourceProfiles.SCHEMA_URL, profiles.schemaUrl());
    }
    encoder.close(mark);
  }

  private void encodeScope(Profiles profiles) {
    if (profiles.scopeName().isEmpty() && profiles.scopeVersion().isEmpty()) {
      return;
    }
    int mark = encoder.open(OtlpFields.ScopeProfiles.SCOPE, Long.MAX_VALUE);
    encoder.writeString(OtlpFields.InstrumentationScope.NAME, profiles.scopeName());
    if (!profiles.scopeVersion().isEmpty()) {
      encoder.writeString(OtlpFields.InstrumentationScope.VERSION, profiles.scopeVersion());
    }
    encoder.close(mark);
  }
}
