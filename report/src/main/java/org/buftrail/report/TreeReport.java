package org.buftrail.report;

import java.io.IOException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Function;
import org.buftrail.model.Contrast;
import org.buftrail.model.Path;
import org.buftrail.model.Snapshot;
import org.buftrail.model.Suspects;
import org.buftrail.model.TrackerStatus;
import org.jspecify.annotations.Nullable;

/**
 * A snapshot as text for a person: what leaks, where it was last seen, what is held now, the tree.
 *
 * <p>Printable ASCII and line feeds only. The length is bounded; what is left out is said with its
 * sums.
 */
public final class TreeReport {
  /** Leak paths that {@link #write(Snapshot, Appendable)} shows hop by hop. */
  public static final int MAX_LEAKS = 20;

  /**
   * Live paths, and dropped ones, that {@link #write(Snapshot, Appendable)} lists, two or three
   * lines each.
   */
  public static final int MAX_LIVE = 10;

  /** Paths that {@link #write(Snapshot, Appendable)} draws in the tree. */
  public static final int MAX_TREE_PATHS = 200;

  /** Hops at either end of a live path; those between them are counted. */
  private static final int HEAD_HOPS = 4;

  private static final int TAIL_HOPS = 8;

  private final Snapshot snapshot;
  private final Appendable out;
  private final List<Path> sorted;
  private final List<Path> leaks;

  private TreeReport(Snapshot snapshot, Appendable out) {
    this.snapshot = snapshot;
    this.out = out;
    this.sorted = PathOrder.sorted(snapshot);
    this.leaks = PathOrder.leaks(sorted);
  }

  /**
   * Writes headline, leaks, live paths and tree, within the bounds above.
   *
   * @throws IOException when {@code out} does
   */
  public static void write(Snapshot snapshot, Appendable out) throws IOException {
    write(snapshot, out, MAX_LEAKS, MAX_TREE_PATHS);
  }

  /**
   * Writes headline, leaks, live paths, misuses and tree.
   *
   * @param maxLeaks leak paths shown hop by hop, worst first
   * @param maxTreePaths paths drawn in the tree, worst first; 0 leaves the tree out
   * @throws IOException when {@code out} does
   */
  public static void write(Snapshot snapshot, Appendable out, int maxLeaks, int maxTreePaths)
      throws IOException {
    TreeReport report = new TreeReport(snapshot, out);
    SummedProcessesText.write(snapshot.processes(), out);
    report.headline();
    report.leaks(maxLeaks);
    SuspectText.write(snapshot, out);
    PoolText.write(snapshot.pools(), out);
    ProcessMemoryText.write(snapshot.resident(), out);
    PeakText.write(snapshot.peak(), out);
    report.live();
    HistogramText.write(snapshot, out);
    report.dropped();
    MisuseText.write(snapshot, out);
    if (maxTreePaths > 0) {
      boolean drops = snapshot.dropped().count() > 0;
      out.append("\nFLOWS, worst first: released, leaked").append(drops ? ", dropped" : "");
      out.append(" and live are counted at the hop where that happened\n");
      new TreeText(out, snapshot.allocated()).write(new FlowTree(report.sorted, maxTreePaths));
    }
  }

  /**
   * Writes a few lines: totals, roots, paths, and leaks as people count them.
   *
   * @throws IOException when {@code out} does
   */
  public static void summary(Snapshot snapshot, Appendable out) throws IOException {
    TreeReport report = new TreeReport(snapshot, out);
    report.headline();
    Set<FlowNode.Key> roots = new HashSet<>();
    for (Path path : report.sorted) {
      roots.add(new FlowNode.Key(path.hops().get(0)));
    }
    int paths = report.sorted.size();
    out.append("  roots ").append(Wording.count(roots.size()));
    out.append(", paths ").append(Wording.count(paths));
    out.append(", leaks ").append(Wording.count(report.leaks.size())).append('\n');
  }

  private void headline() throws IOException {
    out.append("Buftrail flows at ")
        .append(Instant.ofEpochMilli(snapshot.takenAtMillis()).toString());
    out.append('\n');
    ProcessText.write(snapshot, out);
    out.append('\n');
    total("allocated", snapshot.allocated(), "");
    total("released", snapshot.released().count(), Wording.bytes(snapshot.released().bytes()));
    out.append('\n');
    total("LEAKED", snapshot.leaked().count(), Wording.bytes(snapshot.leaked().bytes()));
    out.append(severities()).append(undecided()).append('\n');
    if (snapshot.held() > 0) {
      total("held", snapshot.held(), "-");
      out.append(
          "  by the leaked ones: components, parents of slices; their bytes are with these\n");
    }
    if (snapshot.dropped().count() > 0) {
      total("dropped", snapshot.dropped().count(), Wording.bytes(snapshot.dropped().bytes()));
      out.append("  not released, but nothing lost: unpooled heap or wrapped memory\n");
    }
    total("live", snapshot.live().count(), Wording.bytes(snapshot.live().bytes()));
    out.append(liveNote()).append('\n');
    resources();
    if (snapshot.sampling() > 1) {
      out.append("  1 in ").append(Wording.count(snapshot.sampling()));
      out.append(" allocations was followed; counts and bytes are scaled up to all\n");
    }
    if (snapshot.overflowed() > 0) {
      out.append("  ").append(Wording.flows(snapshot.overflowed()));
      out.append(" went past a bound of the trie; they are counted in hops marked OVERFLOW\n");
    }
    for (String line : Advice.lines(snapshot)) {
      out.append("  ").append(line).append('\n');
    }
    StatusText.write(snapshot, out);
  }

  /** One line for each type of resource among the totals. */
  private void resources() throws IOException {
    Map<String, FlowNode.Sum[]> byType = new TreeMap<>();
    for (Path path : sorted) {
      String type = path.resource();
      if (type != null) {
        FlowNode.Sum[] sums =
            byType.computeIfAbsent(
                type,
                t ->
                    new FlowNode.Sum[] {
                      new FlowNode.Sum(), new FlowNode.Sum(), new FlowNode.Sum()
                    });
        sums[0].add(path.released());
        sums[1].add(path.leaked());
        sums[2].add(path.live());
      }
    }
    for (Map.Entry<String, FlowNode.Sum[]> type : byType.entrySet()) {
      FlowNode.Sum[] sums = type.getValue();
      out.append("  of these ").append(Wording.ascii(type.getKey())).append(": closed ");
      out.append(Wording.count(sums[0].count())).append(", leaked ");
      out.append(Wording.count(sums[1].count())).append(", live ");
      out.append(Wording.count(sums[2].count())).append('\n');
    }
  }

  private void total(String name, long count, String bytes) throws IOException {
    int width = Math.max(6, Wording.count(snapshot.allocated()).length());
    String line =
        "  "
            + Wording.left(name, 9)
            + "  "
            + Wording.right(Wording.count(count), width)
            + "  "
            + Wording.right(bytes, 11);
    out.append(bytes.isEmpty() ? line.stripTrailing() + "\n" : line);
  }

  private String severities() {
    FlowNode.Sum direct = new FlowNode.Sum();
    FlowNode.Sum heap = new FlowNode.Sum();
    FlowNode.Sum resources = new FlowNode.Sum();
    for (Path leak : leaks) {
      FlowNode.Sum other = leak.resource() == null ? heap : resources;
      (leak.isDirect() ? direct : other).add(leak.leaked());
    }
    if (leaks.isEmpty()) {
      return "";
    }
    StringBuilder text = new StringBuilder("  on ").append(Wording.paths(leaks.size()));
    if (direct.count() > 0) {
      text.append("; CRITICAL: direct memory, ").append(Wording.flowsAndBytes(direct.flows()));
    }
    if (heap.count() > 0) {
      text.append("; moderate: heap, ").append(Wording.flowsAndBytes(heap.flows()));
    }
    if (resources.count() > 0) {
      text.append("; moderate: other resources, ").append(Wording.flows(resources.count()));
    }
    return text.toString();
  }

  private String undecided() {
    String undecided = StatusText.undecided(snapshot.status());
    return undecided == null ? "" : (leaks.isEmpty() ? "  " : "; ") + undecided;
  }

  private String liveNote() {
    int paths = 0;
    long direct = 0;
    long oldest = Path.NO_AGE;
    for (Path path : sorted) {
      if (path.live().count() > 0) {
        paths++;
        direct += path.isDirect() ? path.live().bytes() : 0;
        oldest = Math.max(oldest, path.oldestMillis());
      }
    }
    if (paths == 0) {
      return "";
    }
    return "  on "
        + Wording.paths(paths)
        + "; direct "
        + Wording.bytes(direct)
        + (oldest >= 0 ? "; oldest " + Wording.age(oldest) : "");
  }

  private void leaks(int max) throws IOException {
    if (leaks.isEmpty()) {
      out.append('\n').append(noLeak()).append('\n');
      return;
    }
    int shown = Math.min(max, leaks.size());
    Contrast contrast = ContrastText.of(sorted, snapshot.sampling());
    for (int i = 0; i < shown; i++) {
      leak(leaks.get(i), i + 1, ContrastText.sentence(contrast, leaks.get(i)));
    }
    if (shown < leaks.size()) {
      rest("leak", leaks.subList(shown, leaks.size()), Path::leaked);
    }
  }

  /** Says no more than is known. */
  private String noLeak() {
    TrackerStatus status = snapshot.status();
    if (status.undecided() > 0) {
      return "No leak is proved, but "
          + Wording.flows(status.undecided())
          + " may be lost. "
          + (status.isAtEnd()
              ? "No collection has decided: see the option collectAtEnd"
              : "A collection decides: buftrail dump PID --gc");
    }
    if (!Suspects.of(snapshot).isEmpty()) {
      return "No leak is proved, but what follows looks like one.";
    }
    return "No leak was found"
        + (snapshot.live().count() == 0
            ? "."
            : status.isAtEnd()
                ? "; what is live is still referred to."
                : "; what is live may still become one.");
  }

  private void leak(Path path, int rank, @Nullable String contrast) throws IOException {
    long whole = snapshot.leaked().bytes();
    out.append("\nLEAK ").append(Wording.count(rank)).append(" of ");
    out.append(Wording.count(leaks.size())).append("  ").append(Wording.severity(path.isDirect()));
    out.append(" (").append(Wording.memory(path));
    out.append(path.resource() == null ? " memory)  " : ")  ");
    out.append(amount(path, path.leaked()));
    if (path.held() > 0) {
      out.append(", ").append(Wording.holding(path.held()));
    }
    if (path.resource() == null || path.leaked().bytes() > 0) {
      out.append(", ").append(Wording.share(path.leaked().bytes(), whole));
      out.append(" of leaked bytes");
    }
    out.append('\n');
    Path.Hop last = Wording.last(path);
    Path.Hop owner = path.lastOwner();
    out.append(owner == null ? "  last seen in " : "  last read in ");
    out.append(Wording.fullPlace(last)).append(" with reference count ");
    out.append(Wording.ascii(last.refs()));
    out.append(ShownHops.isReturn(last.site()) ? ", returned to its caller" : "");
    if (owner != null) {
      out.append("; ").append(Wording.fullPlace(owner)).append(" had it");
    }
    if (path.live().count() > 0) {
      out.append("; ").append(amount(path, path.live())).append(" live there now");
    }
    out.append('\n');
    if (path.firstSeenMillis() != Path.NEVER) {
      out.append("  first found ").append(Wording.time(path.firstSeenMillis()));
      out.append(", last ").append(Wording.time(path.lastSeenMillis())).append('\n');
    }
    for (String sentence : EvidenceText.sentences(path)) {
      out.append("  ").append(sentence).append('\n');
    }
    if (contrast != null) {
      out.append("  ").append(contrast).append('\n');
    }
    String end = owner == null ? "  <== last seen here\n" : "  <== last read here\n";
    List<Path.Hop> hops = ShownHops.of(path.hops());
    int left = hops.size();
    int width = hops.stream().mapToInt(hop -> hop.refs().length()).max().orElse(0);
    for (Path.Hop hop : hops) {
      String refs = Wording.ascii(hop.refs());
      out.append("    ").append(Wording.right(refs, Math.max(4, width))).append("  ");
      out.append(Wording.fullPlace(hop)).append(hop.isLoop() ? " (loop)" : "");
      out.append(hop.isOverflow() ? " (OVERFLOW)" : "");
      out.append(Wording.returned(hop));
      out.append(hop == owner ? "  <== had it" : "");
      out.append(--left == 0 ? end : "\n");
    }
  }

  /** Flows and bytes; of a resource without bytes its number alone. */
  private static String amount(Path path, Path.Flows flows) {
    return path.resource() != null && flows.bytes() == 0
        ? Wording.flows(flows.count())
        : Wording.flowsAndBytes(flows);
  }

  private void live() throws IOException {
    List<Path> live = new ArrayList<>();
    for (Path path : sorted) {
      if (path.live().count() > 0) {
        live.add(path);
      }
    }
    if (live.isEmpty()) {
      return;
    }
    live.sort(Comparator.comparingLong(path -> -path.live().bytes()));
    int shown = Math.min(MAX_LIVE, live.size());
    out.append("\nLIVE NOW, most bytes first\n");
    for (Path path : live.subList(0, shown)) {
      live(path);
    }
    if (shown < live.size()) {
      rest("live", live.subList(shown, live.size()), Path::live);
    }
  }

  private void live(Path path) throws IOException {
    out.append("  ").append(amount(path, path.live())).append(' ');
    out.append(Wording.memory(path)).append(Wording.parts(path));
    if (path.oldestMillis() >= 0) {
      out.append(", oldest ").append(Wording.age(path.oldestMillis()));
    }
    if (path.medianMillis() >= 0) {
      out.append(", median ").append(Wording.age(path.medianMillis()));
    }
    String what = EvidenceText.live(path);
    if (what != null) {
      out.append("\n    ").append(what);
    }
    hopsOf(path);
  }

  private void dropped() throws IOException {
    List<Path> dropped = new ArrayList<>();
    for (Path path : sorted) {
      if (path.dropped().count() > 0) {
        dropped.add(path);
      }
    }
    if (dropped.isEmpty()) {
      return;
    }
    dropped.sort(Comparator.comparingLong(path -> -path.dropped().bytes()));
    int shown = Math.min(MAX_LIVE, dropped.size());
    out.append("\nDROPPED and no leak, most bytes first\n");
    for (Path path : dropped.subList(0, shown)) {
      out.append("  ").append(amount(path, path.dropped())).append(' ');
      out.append(Wording.memory(path));
      hopsOf(path);
    }
    if (shown < dropped.size()) {
      rest("dropped", dropped.subList(shown, dropped.size()), Path::dropped);
    }
  }

  /** On a line of their own. */
  private void hopsOf(Path path) throws IOException {
    out.append("\n    ");
    hops(path.hops(), out);
    boolean inTransit = path.hops().get(0).site().method().isEmpty();
    out.append(inTransit ? ": moved or ended while this was counted; path unknown\n" : "\n");
  }

  /** Those in the middle are counted if they are many. */
  static void hops(List<Path.Hop> path, Appendable out) throws IOException {
    List<Path.Hop> all = ShownHops.of(path);
    int hops = all.size();
    for (int i = 0; i < hops; i++) {
      out.append(i == 0 ? "" : " > ");
      if (i == HEAD_HOPS && hops > HEAD_HOPS + 1 + TAIL_HOPS) {
        i = hops - TAIL_HOPS;
        out.append("... ").append(Wording.count(i - HEAD_HOPS)).append(" hops ... > ");
      }
      out.append(Wording.shortPlace(all.get(i))).append(Wording.returned(all.get(i)));
    }
  }

  private void rest(String what, List<Path> cut, Function<Path, Path.Flows> which)
      throws IOException {
    FlowNode.Sum sum = new FlowNode.Sum();
    for (Path path : cut) {
      sum.add(which.apply(path));
    }
    out.append("  ... ").append(Wording.count(cut.size())).append(" more ").append(what);
    out.append(cut.size() == 1 ? " path" : " paths").append(" not shown: ");
    out.append(Wording.flowsAndBytes(sum.flows())).append('\n');
  }
}
