package org.buftrail.report;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.buftrail.model.Evidence;
import org.buftrail.model.Misuse;
import org.buftrail.model.Path;
import org.buftrail.model.ReleaseSamples;
import org.buftrail.model.Site;
import org.buftrail.profile.json.JsonException;
import org.buftrail.profile.json.JsonIn;
import org.jspecify.annotations.Nullable;

/** Reads the paths of one snapshot; equal hops become one object, as paths share most of them. */
final class PathJsonReader {
  /** Far above what the tracker's own depth bound lets through. */
  static final int MAX_HOPS = 4096;

  private static final int RELEASED = 0;
  private static final int LEAKED = 1;
  private static final int LIVE = 2;
  private static final int DROPPED = 3;
  private static final int HELD = 4;
  private static final int BYTES = 5;
  private static final List<String> COUNTS =
      List.of(
          "released",
          "leaked",
          "live",
          "dropped",
          "held",
          "releasedBytes",
          "leakedBytes",
          "liveBytes",
          "droppedBytes");

  private final JsonIn in;
  private final Map<String, String> strings = new HashMap<>();
  private final Map<SiteMember, Path.Hop> interned = new HashMap<>();

  /** Sums of {@link #COUNTS} over all paths: they must fit, as reports add them up. */
  private final long[] totals = new long[COUNTS.size()];

  private final List<String> refs = new ArrayList<>();
  private int hops;
  private final List<SiteMember> sites = new ArrayList<>();
  private final long[] counts = new long[COUNTS.size()];
  private boolean direct;
  private long oldestMillis;
  private long medianMillis;
  private long firstSeenMillis;
  private long lastSeenMillis;
  private @Nullable ReleaseSamples samples;
  private @Nullable Evidence evidence;
  private long liveParts;
  private @Nullable Evidence liveEvidence;

  /** One element of {@code "sites"}, and of {@code "refs"}: what makes hops equal. */
  private static final class SiteMember {
    private String className = "";
    private String method = "";
    private int line;
    private boolean loop;
    private boolean overflow;
    private boolean onlyReads;
    private @Nullable List<String> collects;
    private String refs = "";

    @Override
    public boolean equals(Object o) {
      if (!(o instanceof SiteMember)) {
        return false;
      }
      SiteMember other = (SiteMember) o;
      return line == other.line
          && loop == other.loop
          && overflow == other.overflow
          && onlyReads == other.onlyReads
          && Objects.equals(collects, other.collects)
          && className.equals(other.className)
          && method.equals(other.method)
          && refs.equals(other.refs);
    }

    @Override
    public int hashCode() {
      return 31 * (31 * (31 * className.hashCode() + method.hashCode()) + line) + refs.hashCode();
    }
  }

  PathJsonReader(JsonIn in) {
    this.in = in;
  }

  /** All flows of the paths read so far. */
  long flows() {
    return Arrays.stream(totals, 0, BYTES).sum();
  }

  Path path() throws IOException {
    clear();
    in.beginObject();
    String name;
    while ((name = in.nextName()) != null) {
      member(name);
    }
    checkLengths();
    if (liveParts > counts[LIVE]) {
      throw in.fault("a path has more parts of live flows than live flows");
    }
    addTotals();
    return new Path(
            joinedHops(),
            direct,
            flows(RELEASED),
            flows(LEAKED),
            flows(LIVE),
            oldestMillis,
            medianMillis,
            firstSeenMillis,
            lastSeenMillis)
        .with(flows(DROPPED), counts[HELD])
        .with(samples)
        .with(evidence)
        .withLive(liveParts, liveEvidence);
  }

  Misuse misuse() throws IOException {
    Misuse.Kind kind = Misuse.Kind.USE_AFTER_RELEASE;
    long count = 0;
    SiteMember site = new SiteMember();
    List<Path.Hop> path = List.of();
    List<Path.Hop> earlier = List.of();
    Evidence seen = null;
    in.beginObject();
    String name;
    while ((name = in.nextName()) != null) {
      switch (name) {
        case "kind":
          kind = kind(in.string());
          break;
        case "count":
          count = in.wholeNumber(0, Long.MAX_VALUE);
          break;
        case "site":
          site = member(in);
          break;
        case "path":
          path = path().hops();
          break;
        case "earlier":
          earlier = path().hops();
          break;
        case "evidence":
          seen = EvidenceJson.read(in);
          break;
        default:
          in.skip();
      }
    }
    return new Misuse(kind, site(site), count, path, earlier).with(seen);
  }

  private Misuse.Kind kind(String text) throws JsonException {
    for (Misuse.Kind kind : Misuse.Kind.values()) {
      if (kind.text().equals(text)) {
        return kind;
      }
    }
    throw in.fault("unknown kind of misuse \"" + JsonIn.shortened(text) + "\"");
  }

  private void clear() {
    hops = 0;
    refs.clear();
    sites.clear();
    Arrays.fill(counts, 0);
    direct = false;
    oldestMillis = Path.NO_AGE;
    medianMillis = Path.NO_AGE;
    firstSeenMillis = Path.NEVER;
    lastSeenMillis = Path.NEVER;
    samples = null;
    evidence = null;
    liveParts = 0;
    liveEvidence = null;
  }

  private void member(String name) throws IOException {
    switch (name) {
      case "hops":
        hops = 0;
        in.beginArray();
        while (nextHop(hops)) {
          in.string();
          hops++;
        }
        break;
      case "refs":
        refs.clear();
        in.beginArray();
        while (nextHop(refs.size())) {
          refs.add(in.string());
        }
        break;
      case "sites":
        sites();
        break;
      case "direct":
        direct = in.bool();
        break;
      case "oldestMillis":
        oldestMillis = in.wholeNumber(0, Long.MAX_VALUE);
        break;
      case "medianMillis":
        medianMillis = in.wholeNumber(0, Long.MAX_VALUE);
        break;
      case "firstSeen":
        firstSeenMillis = in.time().toEpochMilli();
        break;
      case "lastSeen":
        lastSeenMillis = in.time().toEpochMilli();
        break;
      case "samples":
        samples = samples();
        break;
      case "evidence":
        evidence = EvidenceJson.read(in);
        break;
      case "liveParts":
        liveParts = in.wholeNumber(0, Long.MAX_VALUE);
        break;
      case "liveEvidence":
        liveEvidence = EvidenceJson.read(in);
        break;
      default:
        int count = COUNTS.indexOf(name);
        if (count >= 0) {
          counts[count] = in.wholeNumber(0, Long.MAX_VALUE);
        } else {
          in.skip();
        }
    }
  }

  private ReleaseSamples samples() throws IOException {
    long longest = 0;
    long youngest = 0;
    long[] lifetimes = {};
    long[] sizes = {};
    in.beginObject();
    String name;
    while ((name = in.nextName()) != null) {
      switch (name) {
        case "longestMillis":
          longest = in.wholeNumber(0, Long.MAX_VALUE);
          break;
        case "youngestMillis":
          youngest = in.wholeNumber(0, Long.MAX_VALUE);
          break;
        case "lifetimes":
          lifetimes = numbers(ReleaseSamples.LIFETIMES);
          break;
        case "sizes":
          sizes = numbers(ReleaseSamples.SIZES);
          break;
        default:
          in.skip();
      }
    }
    return new ReleaseSamples(lifetimes, sizes, longest, youngest);
  }

  private long[] numbers(int most) throws IOException {
    long[] numbers = new long[most];
    int count = 0;
    in.beginArray();
    while (in.nextElement()) {
      if (count == most) {
        throw in.fault("samples have more than " + most + " classes");
      }
      numbers[count++] = in.wholeNumber(0, Integer.MAX_VALUE);
    }
    return numbers;
  }

  private boolean nextHop(int before) throws IOException {
    if (!in.nextElement()) {
      return false;
    }
    if (before == MAX_HOPS) {
      throw in.fault("a path has more than " + MAX_HOPS + " hops");
    }
    return true;
  }

  private void sites() throws IOException {
    sites.clear();
    in.beginArray();
    while (in.nextElement()) {
      sites.add(member(in));
    }
  }

  /** Reads a place alone, as evidence and members of paths have it. */
  static Site site(JsonIn in) throws IOException {
    return site(member(in));
  }

  private static SiteMember member(JsonIn in) throws IOException {
    SiteMember site = new SiteMember();
    in.beginObject();
    String name;
    while ((name = in.nextName()) != null) {
      switch (name) {
        case "class":
          site.className = in.string();
          break;
        case "method":
          site.method = in.string();
          break;
        case "line":
          site.line = (int) in.wholeNumber(0, Integer.MAX_VALUE);
          break;
        case "loop":
          site.loop = in.bool();
          break;
        case "overflow":
          site.overflow = in.bool();
          break;
        case "onlyReads":
          site.onlyReads = in.bool();
          break;
        case "collects":
          site.collects = in.list(JsonIn::string);
          break;
        default:
          in.skip();
      }
    }
    return site;
  }

  private void checkLengths() throws JsonException {
    if (hops == 0) {
      throw in.fault("a path has no \"hops\"");
    }
    if (refs.size() != hops || sites.size() != hops) {
      throw in.fault(
          "a path has "
              + hops
              + " hops, but "
              + refs.size()
              + " refs and "
              + sites.size()
              + " sites");
    }
  }

  private void addTotals() throws JsonException {
    try {
      for (int i = 0; i < counts.length; i++) {
        totals[i] = Math.addExact(totals[i], counts[i]);
      }
      sumExact(0, BYTES);
      sumExact(BYTES, COUNTS.size());
    } catch (ArithmeticException e) {
      throw in.fault("the counts of all paths add up to more than " + Long.MAX_VALUE);
    }
  }

  private void sumExact(int from, int to) {
    long sum = 0;
    for (int i = from; i < to; i++) {
      sum = Math.addExact(sum, totals[i]);
    }
  }

  private List<Path.Hop> joinedHops() {
    List<Path.Hop> joined = new ArrayList<>(hops);
    for (int i = 0; i < hops; i++) {
      SiteMember site = sites.get(i);
      site.refs = refs.get(i);
      Path.Hop known = interned.get(site);
      joined.add(known == null ? newHop(site) : known);
    }
    return joined;
  }

  /** Equal texts become one, as many hops have the same class. */
  private Path.Hop newHop(SiteMember site) {
    site.className = interned(site.className);
    site.method = interned(site.method);
    site.refs = interned(site.refs);
    Path.Hop made = hop(site);
    interned.put(site, made);
    return made;
  }

  private static Path.Hop hop(SiteMember member) {
    return new Path.Hop(site(member), member.refs, member.loop, member.overflow);
  }

  private static Site site(SiteMember member) {
    String suffix = member.method.endsWith(Site.RETURN_SUFFIX) ? Site.RETURN_SUFFIX : "";
    String method = member.method.substring(0, member.method.length() - suffix.length());
    Site site = new Site(member.className, method, "", member.line, suffix);
    if (member.collects != null) {
      return site.ofCollector(member.collects);
    }
    return member.onlyReads ? site.ofReader() : site;
  }

  private Path.Flows flows(int which) {
    return counts[which] == 0 && counts[BYTES + which] == 0
        ? Path.Flows.NONE
        : new Path.Flows(counts[which], counts[BYTES + which]);
  }

  private String interned(String s) {
    String known = strings.putIfAbsent(s, s);
    return known == null ? s : known;
  }
}
