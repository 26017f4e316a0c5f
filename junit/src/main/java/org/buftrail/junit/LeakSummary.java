package org.buftrail.junit;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.buftrail.model.Misuse;
import org.jspecify.annotations.Nullable;

/**
 * What tests left open, as Markdown for a CI's summary. Immutable.
 *
 * <p>For one JVM it is kept as a line of four numbers and the rows of the table: see {@link #text}.
 */
final class LeakSummary {
  static final LeakSummary NONE = new LeakSummary(0, 0, 0, 0, "");

  private final long judged;
  private final long wrong;
  private final long leaks;
  private final long bytes;

  /** The rows of the table, each with its line end. */
  private final String rows;

  /**
   * @param judged how many tests and classes were looked at; 0 where only the run was
   * @param before what leaked in the run before, as {@link LeakReport#key} has it, or null
   * @param known leaks that do not fail
   */
  LeakSummary(List<Verdict> verdicts, long judged, @Nullable Set<String> before, KnownLeaks known) {
    this(
        judged,
        verdicts.size(),
        verdicts.stream().mapToLong(Verdict::count).sum(),
        verdicts.stream().mapToLong(Verdict::bytes).sum(),
        verdicts.stream()
            .map(verdict -> rows(verdict, before, known))
            .collect(Collectors.joining()));
  }

  private LeakSummary(long judged, long wrong, long leaks, long bytes, String rows) {
    this.judged = judged;
    this.wrong = wrong;
    this.leaks = leaks;
    this.bytes = bytes;
    this.rows = rows;
  }

  private static String rows(Verdict verdict, @Nullable Set<String> before, KnownLeaks known) {
    StringBuilder rows = new StringBuilder();
    for (Leak leak : verdict.leaks) {
      rows.append(
          row(
              verdict.name,
              String.valueOf(leak.count()),
              Verdict.bytes(leak.bytes()),
              leak.lastSeen().replaceFirst("^(last seen|asked for) at ", ""),
              known.has(verdict.name, leak) ? "known" : isNew(before, verdict, leak)));
    }
    for (Overrun overrun : verdict.overruns) {
      StackTraceElement[] trace = overrun.trace();
      rows.append(
          row(verdict.name, overrun.text, "", trace.length == 0 ? "" : trace[0].toString(), ""));
    }
    for (Misuse misuse : verdict.misuses) {
      rows.append(row(verdict.name, times(misuse), "", misuse.site().hop(), ""));
    }
    return rows.toString();
  }

  private static String times(Misuse misuse) {
    return misuse.count() + " x " + misuse.kind().text();
  }

  private static String isNew(@Nullable Set<String> before, Verdict verdict, Leak leak) {
    String key = LeakReport.key(LeakReport.path(verdict, leak).hops());
    return before == null ? "" : before.contains(key) ? "no" : "yes";
  }

  private static String row(String... cells) {
    return List.of(cells).stream()
        .map(cell -> cell.replace("|", "\\|").replace("<", "&lt;").replaceAll("\\R", " "))
        .collect(Collectors.joining(" | ", "| ", " |\n"));
  }

  /** What {@link #text} of another JVM says. */
  static LeakSummary read(Path file) throws IOException {
    String text = Files.readString(file);
    int end = text.indexOf('\n');
    String[] numbers = text.substring(0, Math.max(0, end)).split(" ", -1);
    try {
      return new LeakSummary(
          Long.parseLong(numbers[0]),
          Long.parseLong(numbers[1]),
          Long.parseLong(numbers[2]),
          Long.parseLong(numbers[3]),
          text.substring(end + 1));
    } catch (NumberFormatException | ArrayIndexOutOfBoundsException e) {
      throw new IOException(file + ": is no part of a report of tests; delete it", e);
    }
  }

  String text() {
    return judged + " " + wrong + " " + leaks + " " + bytes + "\n" + rows;
  }

  LeakSummary and(LeakSummary other) {
    return new LeakSummary(
        judged + other.judged,
        wrong + other.wrong,
        leaks + other.leaks,
        bytes + other.bytes,
        rows + other.rows);
  }

  boolean isClean() {
    return wrong == 0;
  }

  String headline() {
    return leaks
        + " left open, "
        + Verdict.bytes(bytes)
        + ", by "
        + (judged == 0 ? "the run" : wrong + " of " + judged + " tests and classes");
  }

  String markdown() {
    String title = "### Buffer leaks in tests\n\n";
    return isClean()
        ? title
            + (judged == 0
                ? "None at the end of the run.\n"
                : "None in " + judged + " tests and classes.\n")
        : title
            + headline()
            + ".\n\n| by | open | bytes | last seen at | new |\n|---|---:|---:|---|---|\n"
            + rows;
  }
}
