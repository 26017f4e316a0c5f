package org.buftrail.report;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.buftrail.model.Evidence;
import org.buftrail.model.Site;
import org.buftrail.profile.json.JsonIn;
import org.buftrail.profile.json.JsonOut;
import org.jspecify.annotations.Nullable;

/**
 * What looks at the stack saw of a path's leaks, or of misuses, in a snapshot's JSON.
 *
 * <pre>
 * {"looks":..,"askedFor":[{"looks":..,"own":{"class":..,"method":..,"line":..},"library":[{..},..],
 *   "callers":[{..},..]},..],"retained":[..],"handed":[..],"released":[..]}
 * </pre>
 *
 * <p>{@code own} is left out where there is no frame of the application, and each kind of place and
 * {@code callers} where they are empty.
 */
final class EvidenceJson {
  private static final int MAX_PLACES = 1_000;

  private EvidenceJson() {}

  static void write(Evidence evidence, JsonOut json) throws IOException {
    json.beginObject().name("looks").value(evidence.looks());
    for (Evidence.Kind kind : Evidence.Kind.values()) {
      List<Evidence.Place> places = evidence.places(kind);
      if (!places.isEmpty()) {
        places(places, json.name(kind.key()));
      }
    }
    json.endObject();
  }

  private static void places(List<Evidence.Place> places, JsonOut json) throws IOException {
    json.beginArray();
    for (Evidence.Place place : places) {
      json.beginObject().name("looks").value(place.looks());
      Site own = place.own();
      if (own != null) {
        SnapshotJson.site(own, json.name("own"));
        json.endObject();
      }
      sites(place.library(), json.name("library"));
      if (!place.callers().isEmpty()) {
        sites(place.callers(), json.name("callers"));
      }
      json.endObject();
    }
    json.endArray();
  }

  private static void sites(List<Site> sites, JsonOut json) throws IOException {
    json.beginArray();
    for (Site site : sites) {
      SnapshotJson.site(site, json);
      json.endObject();
    }
    json.endArray();
  }

  /** Reads what was written; null where it holds no look. */
  static @Nullable Evidence read(JsonIn in) throws IOException {
    Evidence.Builder evidence = new Evidence.Builder();
    in.beginObject();
    String name;
    while ((name = in.nextName()) != null) {
      Evidence.Kind kind = kind(name);
      if (name.equals("looks")) {
        evidence.looks(in.wholeNumber(0, Integer.MAX_VALUE));
      } else if (kind == null) {
        in.skip();
      } else {
        for (Evidence.Place place : places(in)) {
          evidence.add(kind, place);
        }
      }
    }
    return evidence.build();
  }

  private static Evidence.@Nullable Kind kind(String key) {
    for (Evidence.Kind kind : Evidence.Kind.values()) {
      if (kind.key().equals(key)) {
        return kind;
      }
    }
    return null;
  }

  private static List<Evidence.Place> places(JsonIn in) throws IOException {
    List<Evidence.Place> places = new ArrayList<>();
    in.beginArray();
    while (in.nextElement()) {
      if (places.size() == MAX_PLACES) {
        throw in.fault("evidence has more than " + MAX_PLACES + " places");
      }
      places.add(place(in));
    }
    return places;
  }

  private static Evidence.Place place(JsonIn in) throws IOException {
    long looks = 0;
    Site own = null;
    List<Site> library = List.of();
    List<Site> callers = List.of();
    in.beginObject();
    String name;
    while ((name = in.nextName()) != null) {
      switch (name) {
        case "looks":
          looks = in.wholeNumber(0, Integer.MAX_VALUE);
          break;
        case "own":
          own = PathJsonReader.site(in);
          break;
        case "library":
          library = sites(in);
          break;
        case "callers":
          callers = sites(in);
          break;
        default:
          in.skip();
      }
    }
    if (own == null && library.isEmpty()) {
      throw in.fault("evidence has a place without a frame");
    }
    return new Evidence.Place(own, library, callers, looks);
  }

  private static List<Site> sites(JsonIn in) throws IOException {
    List<Site> sites = new ArrayList<>();
    in.beginArray();
    while (in.nextElement()) {
      sites.add(PathJsonReader.site(in));
      if (sites.size() > MAX_PLACES) {
        throw in.fault("evidence has more than " + MAX_PLACES + " frames");
      }
    }
    return sites;
  }
}
