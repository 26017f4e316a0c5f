package org.buftrail.junit;

import static java.nio.file.StandardOpenOption.CREATE;
import static java.nio.file.StandardOpenOption.WRITE;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.buftrail.flow.LeakScope;
import org.buftrail.model.Misuse;
import org.buftrail.model.Path.Flows;
import org.buftrail.model.Path.Hop;
import org.buftrail.model.Site;
import org.buftrail.model.Snapshot;
import org.buftrail.model.TrackerStatus;
import org.buftrail.profile.output.ProfileFormat;
import org.buftrail.report.FlowReports;
import org.buftrail.report.Reports;
import org.buftrail.report.SnapshotJsonReader;
import org.jspecify.annotations.Nullable;

/**
 * What all tests left open: as a snapshot, of which {@code diff --fail-on new-leak} knows what is
 * new, as a page, and as Markdown for a CI's summary.
 *
 * <p>In the snapshot, the second place of each path is the test.
 */
final class LeakReport {
  private static final String JSON = "leaks.json";
  private static final String PAGE = "leaks.html";
  private static final String SUMMARY = "leaks.md";

  private final List<Verdict> verdicts;
  private final long judged;
  private final KnownLeaks known;
  private final StepSummary github;

  /**
   * @param verdicts of tests, classes and the run where something is wrong
   * @param judged how many were looked at
   * @param known leaks that do not fail
   * @param github shows the summary too
   */
  LeakReport(List<Verdict> verdicts, long judged, KnownLeaks known, StepSummary github) {
    this.verdicts = List.copyOf(verdicts);
    this.judged = judged;
    this.known = known;
    this.github = github;
  }

  /** One verdict as a snapshot. */
  static String json(Verdict verdict) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try {
      FlowReports.write(snapshot(List.of(verdict)), ProfileFormat.JSON, bytes);
    } catch (IOException e) {
      throw new AssertionError("memory does not fail", e);
    }
    return bytes.toString(StandardCharsets.UTF_8).strip();
  }

  /**
   * Adds what this JVM found to the files of the run; those of the run before are replaced.
   *
   * @throws IOException with one line saying which file and what is wrong
   */
  @SuppressWarnings("try") // the lock is held, not used
  void write(ReportParts parts) throws IOException {
    try (FileChannel channel = FileChannel.open(parts.lock(), CREATE, WRITE);
        FileLock lock = channel.lock()) {
      parts.begin(parts.report.resolve(JSON));
      Set<String> before = before(parts.before());
      Reports.write(snapshot(verdicts), parts.own(JSON));
      Files.writeString(
          parts.own(SUMMARY), new LeakSummary(verdicts, judged, before, known).text());
      writeAll(parts);
    }
  }

  private void writeAll(ReportParts parts) throws IOException {
    Path directory = parts.report;
    List<org.buftrail.model.Path> paths = new ArrayList<>();
    List<Misuse> misuses = new ArrayList<>();
    for (Path part : parts.all(JSON)) {
      Snapshot snapshot = SnapshotJsonReader.read(part);
      paths.addAll(snapshot.paths());
      misuses.addAll(snapshot.misuses());
    }
    LeakSummary summary = LeakSummary.NONE;
    for (Path part : parts.all(SUMMARY)) {
      summary = summary.and(LeakSummary.read(part));
    }
    Set<String> seen = withoutTests(paths);
    if (known.areWritten) {
      TestAgent.say(known.write(seen));
    }
    Snapshot all = snapshot(paths, misuses);
    Reports.write(all, directory.resolve(JSON));
    String gone = known.gone(seen);
    Files.writeString(directory.resolve(SUMMARY), summary.markdown() + gone);
    github.put(summary.isClean() && gone.isEmpty() ? "" : summary.markdown() + gone);
    if (summary.isClean()) {
      Files.deleteIfExists(directory.resolve(PAGE));
    } else {
      Reports.write(all, directory.resolve(PAGE));
    }
    if (!verdicts.isEmpty()) {
      TestAgent.say(summary.headline() + "; see " + directory.resolve(PAGE));
    }
  }

  private static Set<String> withoutTests(List<org.buftrail.model.Path> paths) {
    Set<String> without = new HashSet<>();
    for (org.buftrail.model.Path path : paths) {
      List<Hop> hops = new ArrayList<>(path.hops());
      Site test = hops.remove(1).site();
      without.add(KnownLeaks.path(hops, test));
    }
    return without;
  }

  /** What leaked in the run before; null if there was none that can be read. */
  private static @Nullable Set<String> before(Path file) {
    if (!Files.exists(file)) {
      return null;
    }
    try {
      Snapshot snapshot = SnapshotJsonReader.read(file);
      if (snapshot.hopRules() != LeakScope.tracking().hopRules()) {
        TestAgent.say("what is new is not known: the run before has paths by other rules of hops");
        return null;
      }
      return snapshot.paths().stream()
          .map(path -> key(path.hops()))
          .collect(Collectors.toCollection(HashSet::new));
    } catch (IOException e) {
      TestAgent.say("what is new is not known: " + e.getMessage());
      return null;
    }
  }

  /** By methods: a line that moved is no new leak. */
  static String key(List<Hop> hops) {
    return hops.stream().map(hop -> hop.site().hop()).collect(Collectors.joining(" "));
  }

  private static Snapshot snapshot(List<Verdict> verdicts) {
    List<org.buftrail.model.Path> paths = new ArrayList<>();
    List<Misuse> misuses = new ArrayList<>();
    for (Verdict verdict : verdicts) {
      for (Leak leak : verdict.leaks) {
        paths.add(path(verdict, leak));
      }
      misuses.addAll(verdict.misuses);
    }
    return snapshot(paths, misuses);
  }

  private static Snapshot snapshot(List<org.buftrail.model.Path> paths, List<Misuse> misuses) {
    long count = paths.stream().mapToLong(path -> path.leaked().count() + path.held()).sum();
    return new Snapshot(System.currentTimeMillis(), 1, count, 0, TrackerStatus.FINE, paths, misuses)
        .withHopRules(LeakScope.tracking().hopRules());
  }

  static org.buftrail.model.Path path(Verdict verdict, Leak leak) {
    List<Hop> hops = new ArrayList<>(leak.path.hops());
    Hop root = hops.get(0);
    hops.add(1, new Hop(KnownLeaks.place(verdict.name), root.refs(), false, false));
    return new org.buftrail.model.Path(
            Collections.unmodifiableList(hops),
            leak.path.isDirect(),
            Flows.NONE,
            new Flows(leak.count(), leak.bytes()),
            Flows.NONE,
            org.buftrail.model.Path.NO_AGE,
            org.buftrail.model.Path.NO_AGE)
        .with(Flows.NONE, leak.path.held())
        .with(leak.path.evidence());
  }
}
