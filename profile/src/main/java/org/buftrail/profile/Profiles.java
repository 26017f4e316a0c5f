package org.buftrail.profile;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import org.buftrail.profile.dictionary.Dictionary;

/**
 * The profiles of one resource and one scope, over one dictionary. {@code ProfilesData}. Belongs to
 * one thread.
 */
public final class Profiles {
  /** Key of the profile attribute that holds {@link Profile#name}: {@value}. */
  public static final String KIND = "buftrail.profile.kind";

  /** The version of this tool. */
  public static final String VERSION = "0.1.0";

  private static final String CONVENTIONS = "https://opentelemetry.io/schemas/1.44.0";

  private final Dictionary dictionary;
  private final Attributes resource = new Attributes();
  private final List<Profile> profiles = new ArrayList<>();
  private String scopeName = "";
  private String scopeVersion = "";
  private String schemaUrl = "";

  /**
   * @param dictionary the tables that the samples point into
   */
  public Profiles(Dictionary dictionary) {
    this.dictionary = dictionary;
  }

  /** Says what made the profiles. */
  public Profiles scope(String name, String version) {
    this.scopeName = name;
    this.scopeVersion = version;
    return this;
  }

  /**
   * Says that a part of this tool made them, with its version, and names attributes as the semantic
   * conventions of OpenTelemetry do.
   *
   * @param name of the part, such as {@code org.buftrail.jfr}
   */
  public Profiles madeBy(String name) {
    return scope(name, VERSION).schemaUrl(CONVENTIONS);
  }

  /** Says by which schema attributes are named; empty if that is not known. */
  public Profiles schemaUrl(String url) {
    this.schemaUrl = url;
    return this;
  }

  /** Adds a profile. The first is the one that viewers show first. */
  public Profiles add(Profile profile) {
    profiles.add(profile);
    return this;
  }

  /**
   * Some of these profiles, of the same resource and scope.
   *
   * @param some profiles over the same dictionary
   */
  public Profiles with(List<Profile> some) {
    Profiles part = withoutResource();
    resource.asMap().forEach(part.resource::putAny);
    some.forEach(part::add);
    return part;
  }

  /** Without profiles, of the same scope and of a resource that is yet to be said. */
  public Profiles withoutResource() {
    return new Profiles(dictionary).scope(scopeName, scopeVersion).schemaUrl(schemaUrl);
  }

  /**
   * Profiles of several resources and scopes as of one: what the resources agree in is kept of
   * them, and the scope is that of the first.
   *
   * @param all at least one, all over one dictionary
   * @throws IllegalArgumentException if there is none, or their dictionaries differ
   */
  public static Profiles joined(List<Profiles> all) {
    if (all.size() == 1) {
      return all.get(0);
    }
    if (all.isEmpty()) {
      throw new IllegalArgumentException("there are no profiles to join");
    }
    Profiles first = all.get(0);
    Profiles joined = first.withoutResource();
    for (Profiles each : all) {
      if (each.dictionary != first.dictionary) {
        throw new IllegalArgumentException("profiles over different dictionaries");
      }
      each.profiles.forEach(joined::add);
    }
    first
        .resource
        .asMap()
        .forEach(
            (key, value) -> {
              if (all.stream().allMatch(each -> value.equals(each.resource.asMap().get(key)))) {
                joined.resource.putAny(key, value);
              }
            });
    return joined;
  }

  /** The tables that the samples point into. */
  public Dictionary dictionary() {
    return dictionary;
  }

  /** The profiled resource; to be filled by the caller. */
  public Attributes resource() {
    return resource;
  }

  /** What made the profiles. {@code InstrumentationScope.name}. */
  public String scopeName() {
    return scopeName;
  }

  /** Its version. {@code InstrumentationScope.version}. */
  public String scopeVersion() {
    return scopeVersion;
  }

  /** By which schema attributes are named. {@code ScopeProfiles.schema_url}. */
  public String schemaUrl() {
    return schemaUrl;
  }

  /** The profiles, unmodifiable. */
  public List<Profile> profiles() {
    return Collections.unmodifiableList(profiles);
  }

  /**
   * The first profile of a kind.
   *
   * @param name as of {@link Profile#name}, such as {@code cpu}
   */
  public Optional<Profile> find(String name) {
    return profiles.stream().filter(profile -> profile.name().equals(name)).findFirst();
  }

  /**
   * Each sample of a kind with its frames; none if there is no such profile.
   *
   * @param name as of {@link #find}
   */
  public List<StackSample> samples(String name) {
    return find(name).map(this::samples).orElse(List.of());
  }

  /** Each sample of one of these profiles with its frames. Samples of a stack share its list. */
  public List<StackSample> samples(Profile profile) {
    return new StackReader(dictionary).samples(profile);
  }

  /**
   * The methods with the largest values of their own in a kind, the largest first; none if there is
   * no such profile.
   *
   * @param name as of {@link #find}
   * @param most how many
   */
  public List<MethodCost> hottest(String name, int most) {
    return find(name).map(profile -> hottest(profile, most)).orElse(List.of());
  }

  /** The methods with the largest values of their own in one of these profiles. */
  public List<MethodCost> hottest(Profile profile, int most) {
    return new StackReader(dictionary).hottest(profile, most);
  }
}
