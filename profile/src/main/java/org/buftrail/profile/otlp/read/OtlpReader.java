package org.buftrail.profile.otlp.read;

import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.List;
import org.buftrail.profile.Profile;
import org.buftrail.profile.Profiles;
import org.buftrail.profile.dictionary.Dictionary;
import org.buftrail.profile.otlp.Violations;
import org.buftrail.profile.otlp.schema.SampledTime;

/**
 * Reads OTLP profiles, protobuf or JSON, from anybody.
 *
 * <p>What the model has no place for is normalised: duplicate entries and samples become one;
 * samples keep their times only if all of a profile have them, in equal number to their values;
 * attribute values in the dictionary that are lists, maps or bytes become text; attributes without
 * a key are left out, and frames that are no location are unknown ones; a profile of the time of
 * another's samples is left out ({@link SampledTime}). Unknown fields are passed over, and so are
 * original payloads and profile ids. A resource and its scopes have one schema, that of the scope.
 */
public final class OtlpReader {
  private OtlpReader() {}

  /**
   * Reads a message into a dictionary of its own.
   *
   * @param source read to its end, not closed
   * @return one for each resource and scope, all over the same dictionary
   * @throws org.buftrail.profile.protobuf.MalformedMessageException if it is not a message, or has
   *     an index that points nowhere
   * @throws IOException if the source cannot be read
   */
  public static List<Profiles> read(InputStream source) throws IOException {
    return read(source, new Dictionary());
  }

  /**
   * Reads a message into a dictionary that may hold others already.
   *
   * @param source read to its end, not closed
   * @param dictionary takes the entries of the message's
   * @return one for each resource and scope
   * @throws org.buftrail.profile.protobuf.MalformedMessageException if it is not a message, or has
   *     an index that points nowhere
   * @throws IOException if the source cannot be read
   */
  public static List<Profiles> read(InputStream source, Dictionary dictionary) throws IOException {
    RawProfiles message = OtlpInput.read(source, new Violations());
    Translation translation = new Translation(message.dictionary, dictionary);
    ProfileTranslation profileTranslation = new ProfileTranslation(translation, dictionary);
    List<Profiles> all = new ArrayList<>();
    for (RawProfiles.Resource resource : message.resources) {
      for (RawProfiles.Scope scope : resource.scopes) {
        Profiles profiles =
            new Profiles(dictionary)
                .scope(scope.name, scope.version)
                .schemaUrl(scope.schemaUrl.isEmpty() ? resource.schemaUrl : scope.schemaUrl);
        for (RawProfiles.KeyValue attribute : resource.attributes) {
          translation.put(profiles.resource(), attribute);
        }
        List<Profile> received = new ArrayList<>();
        for (RawProfile profile : scope.profiles) {
          received.add(profileTranslation.translate(profile));
        }
        for (Profile profile : received) {
          if (!SampledTime.isDerived(profile, received)) {
            profiles.add(profile);
          }
        }
        all.add(profiles);
      }
    }
    return all;
  }
}
