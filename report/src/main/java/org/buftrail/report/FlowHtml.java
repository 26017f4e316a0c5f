package org.buftrail.report;

import java.io.IOException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.function.ToLongFunction;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.buftrail.model.Contrast;
import org.buftrail.model.LeakPaths;
import org.buftrail.model.Minutes;
import org.buftrail.model.Misuse;
import org.buftrail.model.Path;
import org.buftrail.model.Peak;
import org.buftrail.model.PoolMemory;
import org.buftrail.model.ReleaseSamples;
import org.buftrail.model.Site;
import org.buftrail.model.Snapshot;
import org.buftrail.model.Suspects;
import org.buftrail.profile.html.HtmlPage;
import org.buftrail.profile.html.PageColumns;
import org.buftrail.profile.html.SourceLinks;
import org.buftrail.profile.json.JsonOut;
import org.buftrail.profile.trie.FrameTrie;
import org.jspecify.annotations.Nullable;

/**
 * A snapshot as a self-contained page: totals, ranked leaks, flame graph, table of all paths.
 *
 * <p>The page gets the merged paths as columns of numbers, a tenth of the snapshot's JSON, so that
 * a hundred thousand paths open without a wait.
 */
public final class FlowHtml {
  private static final int LOOP = 1;
  private static final int OVERFLOW = 2;

  /** Paths of which the page has sizes and lifetimes. */
  private static final int MAX_HISTOGRAMS = 300;

  /** In place of a node where there is no path. */
  private static final int NO_PATH = -1;

  private final FrameTrie trie = new FrameTrie();
  private final Map<FlowNode.Key, Integer> labels = new HashMap<>();
  private final List<Path.Hop> hops = new ArrayList<>();
  private final Map<Site, Integer> frames = new LinkedHashMap<>();
  private final Map<String, Integer> names = new LinkedHashMap<>();
  private final Map<String, Integer> refs = new LinkedHashMap<>();
  private final Map<String, Integer> resources = new LinkedHashMap<>();
  private final List<Path> paths;
  private final List<Misuse> misuses;
  private final int[] ends;
  private final int[] releases;
  private final int[] earlierReleases;
  private final int[] holders;
  private final int[] peaks;

  private FlowHtml(Snapshot snapshot) {
    paths = PathOrder.sorted(snapshot);
    misuses = PathOrder.misuses(snapshot);
    ends = paths.stream().mapToInt(path -> end(path.hops())).toArray();
    releases = misuses.stream().mapToInt(misuse -> end(misuse.hops())).toArray();
    earlierReleases = misuses.stream().mapToInt(misuse -> end(misuse.earlier())).toArray();
    PoolMemory pools = snapshot.pools();
    holders =
        pools == null
            ? new int[0]
            : pools.holders().stream().mapToInt(holder -> end(holder.hops())).toArray();
    Peak peak = snapshot.peak();
    peaks =
        peak == null ? new int[0] : peak.rows().stream().mapToInt(row -> end(row.hops())).toArray();
    for (Path path : paths) {
      String resource = path.resource();
      if (resource != null) {
        index(resources, resource);
      }
    }
  }

  private int end(List<Path.Hop> path) {
    if (path.isEmpty()) {
      return NO_PATH;
    }
    int node = FrameTrie.NONE;
    for (Path.Hop hop : path) {
      node = trie.child(node, label(hop));
    }
    return node;
  }

  /**
   * Writes the page.
   *
   * @throws IOException when {@code out} does
   */
  public static void write(Snapshot snapshot, Appendable out) throws IOException {
    write(snapshot, SourceLinks.NONE, out);
  }

  /**
   * Writes the page with links to the source of the user's own methods.
   *
   * @throws IOException when {@code out} does
   */
  public static void write(Snapshot snapshot, SourceLinks source, Appendable out)
      throws IOException {
    HtmlPage.write(
        json -> new FlowHtml(snapshot).model(snapshot, null, source, new JsonOut(json)), out);
  }

  /** Writes one value. */
  @FunctionalInterface
  public interface Member {
    /**
     * Writes it.
     *
     * @throws IOException when {@code json} does
     */
    void write(JsonOut json) throws IOException;
  }

  /**
   * Writes the page with what was before.
   *
   * @param history as the live page's {@code /api/history} has it, or null
   * @throws IOException when {@code out} does
   */
  public static void write(Snapshot snapshot, @Nullable Member history, Appendable out)
      throws IOException {
    HtmlPage.write(
        json ->
            new FlowHtml(snapshot).model(snapshot, history, SourceLinks.NONE, new JsonOut(json)),
        out);
  }

  /**
   * Writes what the page shows, for a page that fetches it.
   *
   * @throws IOException when {@code out} does
   */
  public static void model(Snapshot snapshot, Appendable out) throws IOException {
    new FlowHtml(snapshot).model(snapshot, null, SourceLinks.NONE, new JsonOut(out));
  }

  private int label(Path.Hop hop) {
    Integer known = labels.putIfAbsent(new FlowNode.Key(hop), hops.size());
    if (known != null) {
      return known;
    }
    hops.add(hop);
    frames.computeIfAbsent(hop.site(), site -> frames.size());
    index(names, name(hop.site()));
    index(refs, hop.refs());
    return hops.size() - 1;
  }

  private static int index(Map<String, Integer> table, String text) {
    return table.computeIfAbsent(text, t -> table.size());
  }

  private static String name(Site site) {
    return site.qualifiedName();
  }

  private void model(Snapshot snapshot, @Nullable Member history, SourceLinks source, JsonOut json)
      throws IOException {
    PageColumns.head(json, "flows");
    source.write(json);
    json.name("takenAt").value(Instant.ofEpochMilli(snapshot.takenAtMillis()).toString());
    json.name("sampling").value(snapshot.sampling());
    json.name("totals").beginObject().name("allocated").value(snapshot.allocated());
    json.name("overflowed").value(snapshot.overflowed());
    json.name("suppressedErrors").value(snapshot.suppressedErrors()).endObject();
    ProcessJson.write(snapshot.process(), json);
    SummedProcessesJson.write(snapshot.processes(), json);
    String advice = Advice.text(snapshot);
    if (advice != null) {
      json.name("advice").value(advice);
    }
    StatusJson.write(snapshot.status(), json);
    PageColumns.texts(json, "names", names.keySet());
    PageColumns.texts(json, "refs", refs.keySet());
    PageColumns.texts(json, "resources", resources.keySet());
    List<Site> sites = new ArrayList<>(frames.keySet());
    json.name("frames").beginObject();
    PageColumns.column(json, "name", sites.size(), i -> index(names, name(sites.get(i))));
    PageColumns.column(json, "line", sites.size(), i -> sites.get(i).line());
    json.endObject().name("nodes").beginObject();
    PageColumns.trie(json, trie, label -> index(hops.get(label).site()));
    PageColumns.column(json, "ref", trie.size(), i -> index(refs, hopOf(i).refs()));
    PageColumns.column(json, "mark", trie.size(), i -> marks(hopOf(i)));
    json.endObject().name("paths").beginObject();
    PageColumns.column(json, "node", ends.length, i -> ends[i]);
    column(json, "direct", path -> path.isDirect() ? 1 : 0);
    column(json, "resource", this::resource);
    column(json, "released", path -> path.released().count());
    column(json, "releasedBytes", path -> path.released().bytes());
    column(json, "leaked", path -> path.leaked().count());
    column(json, "leakedBytes", path -> path.leaked().bytes());
    column(json, "live", path -> path.live().count());
    column(json, "liveBytes", path -> path.live().bytes());
    column(json, "oldest", Path::oldestMillis);
    column(json, "median", Path::medianMillis);
    json.endObject();
    unreleased(json);
    groups(json);
    leaks(json, snapshot.sampling());
    seen(json);
    misused(json);
    suspects(Suspects.of(paths, snapshot.sampling()), json);
    histograms(json);
    PoolColumns.write(snapshot.pools(), holders, json);
    ProcessMemoryJson.write(snapshot.resident(), json);
    peak(snapshot.peak(), json);
    Minutes minutes = snapshot.minutes();
    if (minutes != null) {
      MinutesJson.writeForPage(minutes, json.name("minutes"));
    }
    if (history != null) {
      history.write(json.name("history"));
    }
    json.endObject();
  }

  /** What was live at the highest moment, or nothing where nobody looked. */
  private void peak(@Nullable Peak peak, JsonOut json) throws IOException {
    if (peak == null) {
      return;
    }
    List<Peak.Row> rows = peak.rows();
    json.name("peak").beginObject().name("at").value(peak.atMillis());
    json.name("live").value(peak.flows().count());
    json.name("liveBytes").value(peak.flows().bytes());
    json.name("paths").beginObject();
    PageColumns.column(json, "node", peaks.length, i -> peaks[i]);
    PageColumns.column(json, "direct", peaks.length, i -> rows.get(i).isDirect() ? 1 : 0);
    PageColumns.column(json, "live", peaks.length, i -> rows.get(i).flows().count());
    PageColumns.column(json, "liveBytes", peaks.length, i -> rows.get(i).flows().bytes());
    json.endObject().endObject();
  }

  /** 1 and up for a type of resource, 0 for a buffer. */
  private long resource(Path path) {
    Integer index = resources.get(path.resource());
    return index == null ? 0 : index + 1;
  }

  /** The flows held by leaks and those dropped, for the few paths that have any. */
  private void unreleased(JsonOut json) throws IOException {
    int[] some =
        IntStream.range(0, paths.size())
            .filter(i -> paths.get(i).held() > 0 || paths.get(i).dropped().count() > 0)
            .toArray();
    json.name("unreleased").beginObject();
    PageColumns.column(json, "path", some.length, i -> some[i]);
    PageColumns.column(json, "held", some.length, i -> paths.get(some[i]).held());
    PageColumns.column(json, "dropped", some.length, i -> paths.get(some[i]).dropped().count());
    PageColumns.column(json, "bytes", some.length, i -> paths.get(some[i]).dropped().bytes());
    json.endObject();
  }

  /** What the live flows are as people count them, for the few paths of which it is known. */
  private void groups(JsonOut json) throws IOException {
    int[] some =
        IntStream.range(0, paths.size())
            .filter(i -> paths.get(i).liveParts() > 0 || EvidenceText.live(paths.get(i)) != null)
            .toArray();
    if (some.length > 0) {
      List<String> sentences = new ArrayList<>();
      for (int path : some) {
        String sentence = EvidenceText.live(paths.get(path));
        sentences.add(sentence == null ? "" : sentence);
      }
      json.name("groups").beginObject();
      PageColumns.column(json, "path", some.length, i -> some[i]);
      PageColumns.column(json, "parts", some.length, i -> paths.get(some[i]).liveParts());
      PageColumns.texts(json, "what", sentences);
      json.endObject();
    }
  }

  /** For the few paths that leak: the worst of those that are shown together, perhaps itself. */
  private void leaks(JsonOut json, int sampling) throws IOException {
    int[] leaks =
        IntStream.range(0, paths.size()).filter(i -> paths.get(i).leaked().count() > 0).toArray();
    Map<Object, Integer> worst = new HashMap<>();
    int[] with = new int[leaks.length];
    for (int i = 0; i < leaks.length; i++) {
      int path = leaks[i];
      with[i] = worst.computeIfAbsent(LeakPaths.key(paths.get(path)), key -> path);
    }
    json.name("leaks").beginObject();
    PageColumns.column(json, "path", leaks.length, i -> leaks[i]);
    PageColumns.column(json, "with", leaks.length, i -> with[i]);
    PageColumns.texts(json, "contrast", contrasts(leaks, sampling));
    PageColumns.texts(json, "owner", owners(leaks));
    PageColumns.texts(json, "evidence", evidence(leaks));
    json.endObject();
  }

  /** What became of flows that came the same way, empty where the evidence is weak. */
  private List<String> contrasts(int[] leaking, int sampling) {
    Contrast contrast = ContrastText.of(paths, sampling);
    Map<Object, String> sentences = new HashMap<>();
    for (Path leak : LeakPaths.of(paths)) {
      String sentence = ContrastText.sentence(contrast, leak);
      sentences.put(LeakPaths.key(leak), sentence == null ? "" : sentence);
    }
    List<String> texts = new ArrayList<>();
    for (int path : leaking) {
      texts.add(sentences.get(LeakPaths.key(paths.get(path))));
    }
    return texts;
  }

  /** The nearest places that had what last hops could only read, empty where these had it. */
  private List<String> owners(int[] leaking) {
    List<String> places = new ArrayList<>();
    for (int path : leaking) {
      Path.Hop owner = paths.get(path).lastOwner();
      places.add(owner == null ? "" : owner.site().toString());
    }
    return places;
  }

  /** What looks at the stack saw, a line for each sentence; empty where nothing is known. */
  private List<String> evidence(int[] leaking) {
    Map<Object, String> sentences = new HashMap<>();
    for (Path leak : LeakPaths.of(paths)) {
      sentences.put(LeakPaths.key(leak), String.join("\n", EvidenceText.sentences(leak)));
    }
    List<String> texts = new ArrayList<>();
    for (int path : leaking) {
      texts.add(sentences.get(LeakPaths.key(paths.get(path))));
    }
    return texts;
  }

  /** The times at which leaks were found, for the few paths that leak. */
  private void seen(JsonOut json) throws IOException {
    int[] leaks =
        IntStream.range(0, paths.size())
            .filter(i -> paths.get(i).firstSeenMillis() != Path.NEVER)
            .toArray();
    json.name("seen").beginObject();
    PageColumns.column(json, "path", leaks.length, i -> leaks[i]);
    PageColumns.column(json, "first", leaks.length, i -> paths.get(leaks[i]).firstSeenMillis());
    PageColumns.column(json, "last", leaks.length, i -> paths.get(leaks[i]).lastSeenMillis());
    json.endObject();
  }

  /** Sizes and lifetimes of the paths with most samples, a row for each class that has some. */
  private void histograms(JsonOut json) throws IOException {
    List<Path> sampled = HistogramText.sampled(paths);
    Set<Path> shown = Collections.newSetFromMap(new IdentityHashMap<>());
    shown.addAll(sampled.subList(0, Math.min(MAX_HISTOGRAMS, sampled.size())));
    List<long[]> rows = new ArrayList<>();
    for (int i = 0; i < paths.size(); i++) {
      ReleaseSamples samples = paths.get(i).samples();
      if (samples != null && shown.contains(paths.get(i))) {
        for (int at = 0; at < ReleaseSamples.LIFETIMES; at++) {
          add(rows, i, at, samples.lifetimes(at));
        }
        for (int at = 0; at < ReleaseSamples.SIZES; at++) {
          add(rows, i, ReleaseSamples.LIFETIMES + at, samples.sizes(at));
        }
      }
    }
    if (!rows.isEmpty()) {
      json.name("histograms").beginObject();
      PageColumns.column(json, "path", rows.size(), i -> rows.get(i)[0]);
      PageColumns.column(json, "at", rows.size(), i -> rows.get(i)[1]);
      PageColumns.column(json, "count", rows.size(), i -> rows.get(i)[2]);
      json.endObject();
    }
  }

  private static void add(List<long[]> rows, int path, int at, long count) {
    if (count > 0) {
      rows.add(new long[] {path, at, count});
    }
  }

  /** The misuses of released buffers, most frequent first. */
  private void misused(JsonOut json) throws IOException {
    json.name("misuses").beginObject();
    texts(json, "kind", misuse -> misuse.kind().text());
    texts(json, "place", misuse -> misuse.site().toString());
    PageColumns.column(json, "count", misuses.size(), i -> misuses.get(i).count());
    PageColumns.column(json, "node", misuses.size(), i -> releases[i]);
    PageColumns.column(json, "earlier", misuses.size(), i -> earlierReleases[i]);
    json.endObject();
  }

  private void suspects(List<Suspects.Suspect> suspects, JsonOut json) throws IOException {
    int n = suspects.size();
    json.name("suspects").beginObject();
    PageColumns.column(json, "path", n, i -> suspects.get(i).index());
    PageColumns.column(json, "arrived", n, i -> suspects.get(i).arrived());
    PageColumns.column(json, "gone", n, i -> suspects.get(i).gone());
    List<String> siblings = new ArrayList<>();
    for (Suspects.Suspect suspect : suspects) {
      Site sibling = suspect.sibling();
      siblings.add(sibling == null ? "" : sibling.toString());
    }
    PageColumns.texts(json, "sibling", siblings);
    PageColumns.texts(
        json,
        "lifetimes",
        suspects.stream().map(SuspectText::lifetimes).collect(Collectors.toUnmodifiableList()));
    json.endObject();
  }

  private void texts(JsonOut json, String name, Function<Misuse, String> text) throws IOException {
    PageColumns.texts(
        json, name, misuses.stream().map(text).collect(Collectors.toUnmodifiableList()));
  }

  private int index(Site site) {
    Integer frame = frames.get(site);
    return frame == null ? 0 : frame;
  }

  private Path.Hop hopOf(int node) {
    return hops.get(trie.label(node));
  }

  private static int marks(Path.Hop hop) {
    return (hop.isLoop() ? LOOP : 0) | (hop.isOverflow() ? OVERFLOW : 0);
  }

  private void column(JsonOut json, String name, ToLongFunction<Path> value) throws IOException {
    PageColumns.column(json, name, paths.size(), i -> value.applyAsLong(paths.get(i)));
  }
}
