package org.buftrail.profile.otlp.read;

import java.util.ArrayList;
import java.util.List;
import org.buftrail.profile.protobuf.MalformedMessageException;
import org.jspecify.annotations.Nullable;

/** A message as it was received, before anybody has looked whether it makes sense. */
public final class RawProfiles {
  private static final int MOST_PARTS = 100_000;

  public final List<Resource> resources = new ArrayList<>();
  public final RawDictionary dictionary = new RawDictionary();
  private int parts;

  Resource addResource() throws MalformedMessageException {
    int number = resources.size();
    Resource resource = new Resource(number == 0 ? "" : "resource_profiles[" + number + "].");
    resources.add(resource);
    count();
    return resource;
  }

  Scope addScope(Resource resource) throws MalformedMessageException {
    int number = resource.scopes.size();
    boolean first = resource.place.isEmpty() && number == 0;
    Scope scope = new Scope(first ? "" : resource.place + "scope_profiles[" + number + "].");
    resource.scopes.add(scope);
    count();
    return scope;
  }

  RawProfile addProfile(Scope scope) throws MalformedMessageException {
    RawProfile profile = new RawProfile(scope.place + "profiles[" + scope.profiles.size() + "]");
    scope.profiles.add(profile);
    count();
    return profile;
  }

  private void count() throws MalformedMessageException {
    // Each takes about 700 bytes of memory and can be two bytes long.
    if (++parts > MOST_PARTS) {
      throw new MalformedMessageException(
          "has more than " + MOST_PARTS + " resources, scopes and profiles");
    }
  }

  private static String withoutDot(String place, String first) {
    return place.isEmpty() ? first : place.substring(0, place.length() - 1);
  }

  public static final class Resource {
    /** Where it stands, with a dot behind; empty for the first, which mostly is the only one. */
    public final String place;

    String schemaUrl = "";
    public final List<KeyValue> attributes = new ArrayList<>();
    public final List<Scope> scopes = new ArrayList<>();

    Resource(String place) {
      this.place = place;
    }

    String name() {
      return withoutDot(place, "resource_profiles[0]");
    }
  }

  public static final class Scope {
    /** As for a resource. */
    public final String place;

    String name = "";
    String version = "";
    String schemaUrl = "";
    public final List<KeyValue> attributes = new ArrayList<>();
    public final List<RawProfile> profiles = new ArrayList<>();

    Scope(String place) {
      this.place = place;
    }

    String name() {
      return withoutDot(place, "scope_profiles[0]");
    }
  }

  /** {@code KeyValue}. The key is a text, or an index of the string table, or wrongly both. */
  public static final class KeyValue {
    public final String key;
    public final int keyIndex;
    public final @Nullable Object value;

    KeyValue(String key, int keyIndex, @Nullable Object value) {
      this.key = key;
      this.keyIndex = keyIndex;
      this.value = value;
    }
  }
}
