package org.buftrail.report;

import java.io.IOException;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.buftrail.model.Contrast;
import org.buftrail.model.Evidence;
import org.buftrail.model.LeakPaths;
import org.buftrail.model.Misuse;
import org.buftrail.model.Path;
import org.buftrail.model.ReleaseSamples;
import org.buftrail.model.Site;
import org.buftrail.model.Snapshot;
import org.buftrail.model.Suspects;
import org.buftrail.profile.json.JsonOut;
import org.jspecify.annotations.Nullable;

/**
 * The snapshot file that other tools read: {@code "format":"buftrail.flows","version":1}.
 *
 * <pre>
 * {"format":"buftrail.flows","version":1,"takenAt":"2026-01-31T12:00:00.000Z","sampling":1,
 *  "process":{"name":"..","pid":..,"host":"..","startedAt":"..","java":"..","options":".."},
 *  "totals":{"allocated":..,"released":..,"leaked":..,"held":..,"dropped":..,"live":..,
 *            "releasedBytes":..,"leakedBytes":..,"droppedBytes":..,"liveBytes":..,
 *            "overflowed":..,"suppressedErrors":..},
 *  "tracker":{"stoppedAt":"..","stopReason":"..","lostReleases":..,"undecided":..,"atEnd":true,
 *             "unwovenClasses":..,"unwoven":[{"class":"..","reason":".."},..],
 *             "unwatched":[{"package":"..","place":"..","classes":..},..],
 *             "unfollowed":[{"class":"..","fields":["..",..],"reason":"..","givenIn":["..",..]},..],
 *             "threads":[{"name":"..","rounds":..,"lastRound":"..","failures":..,
 *                         "lastFailure":".."},..]},
 *  "processes":{..},"memory":{..},"peak":{..},"minutes":{..},
 *  "paths":[
 *   {"hops":["PooledByteBufAllocator.directBuffer",..],"refs":["1-2",..],
 *    "sites":[{"class":..,"method":..,"line":..},..],"direct":true,
 *    "released":..,"leaked":..,"live":..,"releasedBytes":..,"leakedBytes":..,"liveBytes":..,
 *    "held":..,"dropped":..,"droppedBytes":..,
 *    "oldestMillis":..,"medianMillis":..,
 *    "samples":{"longestMillis":..,"youngestMillis":..,"lifetimes":[..],"sizes":[..]},
 *    "suspect":{"arrived":..,"gone":..,"siblingsReleaseIn":{"class":..,"method":..,"line":..},
 *               "others":{"samples":..,"medianMicros":..,"p99Micros":..,"longestMillis":..}},
 *    "lastOwner":{"class":..,"method":..,"line":..},
 *    "contrast":{"released":..,"sameWayTo":{"class":..},"releasedIn":{"class":..},"there":..},
 *    "evidence":{"looks":..,"askedFor":[..],"retained":[..]},
 *    "severity":"critical","firstSeen":"2026-01-31T11:58:00.000Z","lastSeen":"..."},..],
 *  "misuses":[
 *   {"kind":"double release","count":..,"site":{"class":..,"method":..,"line":..},
 *    "path":{"hops":[..],"refs":[..],"sites":[..]},"earlier":{..}},..]}
 * </pre>
 *
 * <p>{@code processes} is what it is the sum of ({@link SummedProcessesJson}), {@code memory} what
 * allocators keep ({@link PoolJson}), {@code peak} what was live at the highest moment ({@link
 * PeakJson}), {@code minutes} what happened before ({@link MinutesJson}). {@code process} is left
 * out where it is not known, and so is each of its members but {@code pid}. {@code tracker} is left
 * out, and so is each of its members, where there is nothing to say. Counts are flows, scaled by
 * {@code sampling}; bytes are capacities; times are milliseconds. {@code allocated = released +
 * leaked + held + dropped + live}. {@code held} flows leaked within others, and {@code leakedBytes}
 * are theirs too; {@code dropped} ones were collected unreleased with nothing lost. Both are left
 * out of a path that has none. {@code line} is left out where it is not known, the ages where
 * nothing is live, {@code suspect} where {@link Suspects} finds nothing, {@code siblingsReleaseIn}
 * where no sibling releases, {@code samples} and {@code others} where no release was sampled
 * ({@link ReleaseSamples}), {@code severity} ({@code critical} for direct memory, {@code moderate}
 * for heap) and the times at which the first and the last leak were found where nothing leaked.
 * {@code contrast} is what {@link Contrast} finds of a leak, {@code evidence} what {@link
 * EvidenceJson} has. {@code resource} is the type of what is no buffer, such as {@code
 * java.sql.Connection}. A site carries {@code "loop":true} where flows came back to it and {@code
 * "overflow":true} where it stands for all that lay past a bound, {@code "onlyReads":true} where
 * its method can only read, {@code collects} where it puts buffers into a collection; a leak that
 * ends there has a {@code lastOwner}, the nearest hop that could have released it, if one is known.
 * Paths stand by leaked bytes, then live bytes, both descending, then hops: equal snapshots give
 * equal text. Each reference count seen is a path of its own; the reports add up leaks that differ
 * in nothing else. {@code misuses} is left out where there are none; its paths are those of the
 * release that came first, {@code earlier} that of the life that the same recycled object had
 * before, where it is known.
 */
public final class SnapshotJson {
  static final String FORMAT = "buftrail.flows";
  static final int VERSION = 1;

  private SnapshotJson() {}

  /**
   * Writes one snapshot, ending with a line feed.
   *
   * @throws IOException when {@code out} does
   */
  public static void write(Snapshot snapshot, Appendable out) throws IOException {
    JsonOut json = new JsonOut(out);
    json.beginObject().name("format").value(FORMAT).name("version").value(VERSION);
    json.name("takenAt").value(Instant.ofEpochMilli(snapshot.takenAtMillis()).toString());
    json.name("sampling").value(snapshot.sampling());
    json.name("hopRules").value(snapshot.hopRules());
    ProcessJson.write(snapshot.process(), json);
    SummedProcessesJson.write(snapshot.processes(), json);
    totals(snapshot, json.name("totals"));
    StatusJson.write(snapshot.status(), json);
    PoolJson.write(snapshot.pools(), json);
    ProcessMemoryJson.write(snapshot.resident(), json);
    PeakJson.write(snapshot.peak(), json);
    MinutesJson.write(snapshot.minutes(), json);
    json.name("paths").beginArray();
    List<Path> paths = PathOrder.sorted(snapshot);
    Suspects.@Nullable Suspect[] suspects = suspects(paths, snapshot.sampling());
    Map<Object, Contrast.Parting> partings = partings(paths, snapshot.sampling());
    for (int i = 0; i < suspects.length; i++) {
      path(paths.get(i), suspects[i], partings, json.newLine());
    }
    json.endArray();
    if (!snapshot.misuses().isEmpty()) {
      json.name("misuses").beginArray();
      for (Misuse misuse : PathOrder.misuses(snapshot)) {
        misuse(misuse, json.newLine());
      }
      json.endArray();
    }
    json.endObject();
    out.append('\n');
  }

  /** By the index of the path; null where it is none. */
  private static Suspects.@Nullable Suspect[] suspects(List<Path> paths, int sampling) {
    Suspects.@Nullable Suspect[] suspects = new Suspects.Suspect[paths.size()];
    for (Suspects.Suspect suspect : Suspects.of(paths, sampling)) {
      suspects[suspect.index()] = suspect;
    }
    return suspects;
  }

  /** Groups leaks by what they have in common. */
  private static Map<Object, Contrast.Parting> partings(List<Path> paths, int sampling) {
    Contrast contrast = ContrastText.of(paths, sampling);
    Map<Object, Contrast.Parting> partings = new HashMap<>();
    for (Path leak : LeakPaths.of(paths)) {
      Contrast.Parting parting = contrast.of(leak, leak.leaked().count());
      if (parting != null) {
        partings.put(LeakPaths.key(leak), parting);
      }
    }
    return partings;
  }

  private static void parting(Contrast.Parting parting, JsonOut json) throws IOException {
    json.beginObject().name("released").value(parting.released());
    Site only = parting.onlyLeaked();
    site(parting.site(), json.name(only == null ? "sameWayTo" : "otherWaysTo"));
    json.endObject();
    if (only != null) {
      site(only, json.name("onlyLeaked"));
      json.endObject();
    }
    Site place = parting.place();
    if (place != null) {
      site(place, json.name("releasedIn"));
      json.endObject().name("there").value(parting.placed());
    }
    json.endObject();
  }

  private static void suspect(Suspects.Suspect suspect, JsonOut json) throws IOException {
    json.beginObject().name("arrived").value(suspect.arrived()).name("gone").value(suspect.gone());
    Site sibling = suspect.sibling();
    if (sibling != null) {
      site(sibling, json.name("siblingsReleaseIn"));
      json.endObject();
    }
    ReleaseSamples others = suspect.others();
    if (others != null) {
      json.name("others").beginObject().name("samples").value(others.count());
      json.name("medianMicros").value(others.microsOf(50));
      json.name("p99Micros").value(others.microsOf(99));
      json.name("longestMillis").value(others.longestMillis()).endObject();
    }
    json.endObject();
  }

  private static void samples(ReleaseSamples samples, JsonOut json) throws IOException {
    json.beginObject().name("longestMillis").value(samples.longestMillis());
    json.name("youngestMillis").value(samples.youngestMillis());
    json.name("lifetimes").beginArray();
    for (int i = 0; i < ReleaseSamples.LIFETIMES; i++) {
      json.value(samples.lifetimes(i));
    }
    json.endArray().name("sizes").beginArray();
    for (int i = 0; i < ReleaseSamples.SIZES; i++) {
      json.value(samples.sizes(i));
    }
    json.endArray().endObject();
  }

  private static void totals(Snapshot snapshot, JsonOut json) throws IOException {
    json.beginObject().name("allocated").value(snapshot.allocated());
    flows(json, snapshot.released(), snapshot.leaked(), snapshot.live());
    json.name("held").value(snapshot.held());
    dropped(json, snapshot.dropped());
    json.name("overflowed").value(snapshot.overflowed());
    json.name("suppressedErrors").value(snapshot.suppressedErrors()).endObject();
  }

  private static void misuse(Misuse misuse, JsonOut json) throws IOException {
    json.beginObject().name("kind").value(misuse.kind().text());
    json.name("count").value(misuse.count());
    site(misuse.site(), json.name("site"));
    json.endObject().name("path").beginObject();
    hops(misuse.hops(), json);
    json.endObject();
    if (!misuse.earlier().isEmpty()) {
      json.name("earlier").beginObject();
      hops(misuse.earlier(), json);
      json.endObject();
    }
    Evidence evidence = misuse.evidence();
    if (evidence != null) {
      EvidenceJson.write(evidence, json.name("evidence"));
    }
    json.endObject();
  }

  /** Writes three members of an object. */
  static void hops(List<Path.Hop> hops, JsonOut json) throws IOException {
    json.name("hops").beginArray();
    for (Path.Hop hop : hops) {
      json.value(hop.site().hop());
    }
    json.endArray().name("refs").beginArray();
    for (Path.Hop hop : hops) {
      json.value(hop.refs());
    }
    json.endArray().name("sites").beginArray();
    for (int i = 0; i < hops.size(); i++) {
      site(hops.get(i), i == hops.size() - 1, json);
    }
    json.endArray();
  }

  private static void path(
      Path path,
      Suspects.@Nullable Suspect suspect,
      Map<Object, Contrast.Parting> partings,
      JsonOut json)
      throws IOException {
    json.beginObject();
    hops(path.hops(), json);
    json.name("direct").value(path.isDirect());
    String resource = path.resource();
    if (resource != null) {
      json.name("resource").value(resource);
    }
    flows(json, path.released(), path.leaked(), path.live());
    if (path.held() > 0) {
      json.name("held").value(path.held());
    }
    if (path.dropped().count() > 0 || path.dropped().bytes() > 0) {
      dropped(json, path.dropped());
    }
    if (path.liveParts() > 0) {
      json.name("liveParts").value(path.liveParts());
    }
    Evidence liveEvidence = path.liveEvidence();
    if (liveEvidence != null) {
      EvidenceJson.write(liveEvidence, json.name("liveEvidence"));
    }
    if (path.oldestMillis() != Path.NO_AGE) {
      json.name("oldestMillis").value(path.oldestMillis());
    }
    if (path.medianMillis() != Path.NO_AGE) {
      json.name("medianMillis").value(path.medianMillis());
    }
    ReleaseSamples samples = path.samples();
    if (samples != null) {
      samples(samples, json.name("samples"));
    }
    if (suspect != null) {
      suspect(suspect, json.name("suspect"));
    }
    if (path.leaked().count() > 0) {
      Path.Hop owner = path.lastOwner();
      if (owner != null) {
        site(owner.site(), json.name("lastOwner"));
        json.endObject();
      }
      Contrast.@Nullable Parting parting = partings.get(LeakPaths.key(path));
      if (parting != null) {
        parting(parting, json.name("contrast"));
      }
      Evidence evidence = path.evidence();
      if (evidence != null) {
        EvidenceJson.write(evidence, json.name("evidence"));
      }
      json.name("severity").value(path.isDirect() ? "critical" : "moderate");
    }
    time("firstSeen", path.firstSeenMillis(), json);
    time("lastSeen", path.lastSeenMillis(), json);
    json.endObject();
  }

  private static void time(String name, long millis, JsonOut json) throws IOException {
    if (millis != Path.NEVER) {
      json.name(name).value(Instant.ofEpochMilli(millis).toString());
    }
  }

  /** Begins an object and leaves it open. */
  static void site(Site site, JsonOut json) throws IOException {
    json.beginObject().name("class").value(site.className()).name("method").value(site.method());
    if (site.line() > 0) {
      json.name("line").value(site.line());
    }
  }

  private static void site(Path.Hop hop, boolean isLast, JsonOut json) throws IOException {
    site(hop.site(), json);
    if (hop.isLoop()) {
      json.name("loop").value(true);
    }
    if (hop.isOverflow()) {
      json.name("overflow").value(true);
    }
    if (hop.site().onlyReads()) {
      json.name("onlyReads").value(true);
    }
    // Of all others nobody asks.
    List<String> releasing = isLast ? hop.site().collects() : null;
    if (releasing != null) {
      json.name("collects").texts(releasing);
    }
    json.endObject();
  }

  private static void dropped(JsonOut json, Path.Flows dropped) throws IOException {
    json.name("dropped").value(dropped.count());
    json.name("droppedBytes").value(dropped.bytes());
  }

  private static void flows(JsonOut json, Path.Flows released, Path.Flows leaked, Path.Flows live)
      throws IOException {
    json.name("released").value(released.count());
    json.name("leaked").value(leaked.count());
    json.name("live").value(live.count());
    json.name("releasedBytes").value(released.bytes());
    json.name("leakedBytes").value(leaked.bytes());
    json.name("liveBytes").value(live.bytes());
  }
}
