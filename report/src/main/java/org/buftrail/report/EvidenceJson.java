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
 * What looks at the stack saw of a path's leaks, in a snapshot's JSON.
 *
 * <pre>
 * {"looks":..,"askedFor":[{"looks":..,"own":{"class":..,"method":..,"line":..},"library":[{..},..]},..],
 *  "retained":[..]}
 * </pre>
 *
 * <p>{@code own} is left out where there is no frame of the application.
 */
final class EvidenceJson {
  private static final int MAX_PLACES = 1_000;

  private EvidenceJson() {}

  static void write(Evidence evidence, JsonOut json) throws IOException {
    json.beginObject().name("looks").value(evidence.looks());
    places(evidence.askedFor(), json.name("askedFor"));
    places(evidence.retained(), json.name("retained"));
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
      json.name("library").beginArray();
      for (Site site : place.library()) {
        SnapshotJson.site(site, json);
        json.endObject();
      }
      json.endArray().endObject();
    }
    json.endArray();
  }

  /** Reads what was written; null where it holds no look. */
  static @Nullable Evidence read(JsonIn in) throws IOException {
    Evidence.Builder evidence = new Evidence.Builder();
    in.beginObject();
    String name;
    while ((name = in.nextName()) != null) {
      switch (name) {
        case "looks":
          evidence.add(in.wholeNumber(0, Integer.MAX_VALUE), null, null);
          break;
        case "askedFor":
          for (Evidence.Place place : places(in)) {
            evidence.add(0, place, null);
          }
          break;
        case "retained":
          for (Evidence.Place place : places(in)) {
            evidence.add(0, null, place);
          }
          break;
        default:
          in.skip();
      }
    }
    return evidence.build();
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
    List<Site> library = new ArrayList<>();
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
          in.beginArray();
          while (in.nextElement()) {
            library.add(PathJsonReader.site(in));
            if (library.size() > MAX_PLACES) {
              throw in.fault("evidence has more than " + MAX_PLACES + " frames");
            }
          }
          break;
        default:
          in.skip();
      }
    }
    if (own == null && library.isEmpty()) {
      throw in.fault("evidence has a place without a frame");
    }
    return new Evidence.Place(own, library, looks);
  }
}
