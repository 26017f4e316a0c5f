package org.buftrail.junit;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.buftrail.agent.report.FlowReports;
import org.buftrail.agent.report.Reports;
import org.buftrail.agent.report.SnapshotJsonReader;
import org.buftrail.flow.Misuse;
import org.buftrail.flow.Path.Flows;
import org.buftrail.flow.Path.Hop;
import org.buftrail.flow.Site;
import org.buftrail.flow.Snapshot;
import org.buftrail.flow.TrackerStatus;
import org.buftrail.profile.output.ProfileFormat;
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

  /**
   * @param verdicts of tests, classes and the run where something is wrong
   * @param judged how many were looked at
   */
  LeakReport(List<Verdict> verdicts, long judged) {
    this.verdicts = List.copyOf(verdicts);
    this.judged = judged;
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
   * Writes the files, in place of those of the run before.
   *
   * @throws IOException with one line saying which file and what is wrong
   */
  void write(Path directory) throws IOException {
    Files.createDirectories(directory);
    Set<String> before = before(directory.resolve(JSON));
    Snapshot snapshot = snapshot(verdicts);
    Reports.write(snapshot, directory.resolve(JSON));
    Files.writeString(directory.resolve(SUMMARY), summary(before));
    if (verdicts.isEmpty()) {
      Files.deleteIfExists(directory.resolve(PAGE));
    } else {
      Reports.write(snapshot, directory.resolve(PAGE));
      TestAgent.say(headline() + "; see " + directory.resolve(PAGE));
    }
  }

  private String headline() {
    long leaks = verdicts.stream().mapToLong(Verdict::count).sum();
    long bytes = verdicts.stream().mapToLong(Verdict::bytes).sum();
    return leaks
        + " left open, "
        + Verdict.bytes(bytes)
        + ", by "
        + verdicts.size()
        + " of "
        + judged
        + " tests and classes";
  }

  /** Markdown. */
  private String summary(@Nullable Set<String> before) {
    StringBuilder text = new StringBuilder("### Buffer leaks in tests\n\n");
    if (verdicts.isEmpty()) {
      return text + "None in " + judged + " tests and classes.\n";
    }
    text.append(headline()).append(".\n\n| by | open | bytes | last seen at | new |\n");
    text.append("|---|---:|---:|---|---|\n");
    for (Verdict verdict : verdicts) {
      for (Leak leak : verdict.leaks) {
        StackTraceElement place = leak.trace()[0];
        row(
            text,
            verdict.name,
            String.valueOf(leak.count()),
            Verdict.bytes(leak.bytes()),
            place.toString(),
            before == null ? "" : before.contains(key(path(verdict, leak).hops())) ? "no" : "yes");
      }
      for (Misuse misuse : verdict.misuses) {
        row(text, verdict.name, misuse.kind().text(), "", misuse.site().hop(), "");
      }
    }
    return text.toString();
  }

  private static void row(StringBuilder text, String... cells) {
    text.append("| ");
    text.append(
        List.of(cells).stream()
            .map(cell -> cell.replace("|", "\\|").replace("<", "&lt;"))
            .collect(Collectors.joining(" | ")));
    text.append(" |\n");
  }

  /** What leaked in the run before; null if there was none that can be read. */
  private static @Nullable Set<String> before(Path file) {
    if (!Files.exists(file)) {
      return null;
    }
    try {
      return SnapshotJsonReader.read(file).paths().stream()
          .map(path -> key(path.hops()))
          .collect(Collectors.toCollection(HashSet::new));
    } catch (IOException e) {
      TestAgent.say("what is new is not known: " + e.getMessage());
      return null;
    }
  }

  /** By methods: a line that moved is no new leak. */
  private static String key(List<Hop> hops) {
    return hops.stream().map(hop -> hop.site().hop()).collect(Collectors.joining(" "));
  }

  private static Snapshot snapshot(List<Verdict> verdicts) {
    List<org.buftrail.flow.Path> paths = new ArrayList<>();
    List<Misuse> misuses = new ArrayList<>();
    long count = 0;
    for (Verdict verdict : verdicts) {
      for (Leak leak : verdict.leaks) {
        paths.add(path(verdict, leak));
        count += leak.count();
      }
      misuses.addAll(verdict.misuses);
    }
    return new Snapshot(
        System.currentTimeMillis(), 1, count, 0, TrackerStatus.FINE, paths, misuses);
  }

  private static org.buftrail.flow.Path path(Verdict verdict, Leak leak) {
    List<Hop> hops = new ArrayList<>(leak.path.hops());
    Hop root = hops.get(0);
    hops.add(1, new Hop(place(verdict.name), root.refs(), false, false));
    return new org.buftrail.flow.Path(
        Collections.unmodifiableList(hops),
        leak.path.isDirect(),
        Flows.NONE,
        new Flows(leak.count(), leak.bytes()),
        Flows.NONE,
        org.buftrail.flow.Path.NO_AGE,
        org.buftrail.flow.Path.NO_AGE);
  }

  /** A test as a place in code. */
  private static Site place(String name) {
    int arguments = name.indexOf('(');
    int method = name.lastIndexOf('.', arguments < 0 ? name.length() : arguments);
    return arguments < 0 || method < 0
        ? new Site(name, "class", "", 0, "")
        : new Site(name.substring(0, method), name.substring(method + 1), "", 0, "");
  }
}
