package org.buftrail.benchmarks.run;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The table of documents that says what services pay, made of the committed results of {@code bench
 * services}. A row whose results are not there is left out.
 */
final class ServiceTable {
  /** The argument of {@code bench} that prints it. */
  static final String MODE = "table";

  /** How the program's notes name what was measured. */
  private static final Pattern COMMIT = Pattern.compile("commit ([0-9a-f]{7,})");

  private static final List<String> JDKS = List.of("17", "25");

  /** The most important first. */
  private static final List<Row> ROWS =
      List.of(
          new Row("a loaded HTTP service, hops in its own packages", "saturated-http", "all"),
          new Row(
              "the same, hops in Netty's handlers and channels too", "saturated-http", "handlers"),
          new Row(
              "HTTP codec, aggregator and two handlers, no network", "codec-and-aggregator", "all"),
          new Row("the same, hops in Netty's handlers too", "codec-and-aggregator", "handlers"),
          inFlight("4,096 pooled direct", 4_096, "pooled"),
          inFlight("4,096 adaptive direct", 4_096, "adaptive"),
          inFlight("16 heap", 16, "heap"),
          inFlight("512 heap", 512, "heap"),
          inFlight("4,096 heap", 4_096, "heap"),
          inFlight("65,536 pooled direct", 65_536, "pooled"),
          inFlight("65,536 heap", 65_536, "heap"),
          inFlight("a million pooled direct", 1_000_000, "pooled"),
          inFlight("a million heap", 1_000_000, "heap"),
          handedOver("4,096 pooled", 4_096, "pooled"),
          handedOver("512 pooled", 512, "pooled"),
          handedOver("4,096 heap", 4_096, "heap"),
          handedOver("4,096 adaptive", 4_096, "adaptive"),
          new Row("10,000 virtual threads", "virtual-threads", "all"),
          new Row("a walk over 50 methods at random", "walk-over-fifty", "all"),
          new Row("a walk over 8 empty methods at random", "walk-over-eight", "all"));

  /** What the program does, where its results are, and whose ratio is the row's. */
  private record Row(String title, String file, String arm) {}

  private static Row inFlight(String buffers, int count, String memory) {
    return new Row(buffers + " buffers in flight", "in-flight-" + count + "-" + memory, "all");
  }

  private static Row handedOver(String buffers, int count, String memory) {
    String title = buffers + " buffers at a time, released by another thread";
    return new Row(title, "handed-over-" + count + "-" + memory, "all");
  }

  private final Path results;

  /** The commit of the agent in most rows; other rows have a star. */
  private final String commit;

  /**
   * @param results a directory of result files
   */
  ServiceTable(Path results, String commit) {
    this.results = results;
    this.commit = commit;
  }

  /** The lines below the heading. */
  List<String> lines() throws IOException {
    List<String> lines = new ArrayList<>();
    for (Row row : ROWS) {
      List<@Nullable JsonNode> measured = new ArrayList<>();
      for (String jdk : JDKS) {
        measured.add(read(row.file() + "-jdk" + jdk));
      }
      if (measured.stream().anyMatch(each -> each != null)) {
        lines.add(line(row, measured));
      }
    }
    return lines;
  }

  private @Nullable JsonNode read(String name) throws IOException {
    Path file = results.resolve("services-" + name + ".json");
    return Files.exists(file) ? new ObjectMapper().readTree(file.toFile()) : null;
  }

  private String line(Row row, List<@Nullable JsonNode> measured) {
    StringBuilder line = new StringBuilder("| ").append(row.title());
    line.append(measured.stream().allMatch(this::isOfCommit) ? "" : " *");
    for (JsonNode each : measured) {
      Spread ratio = ratio(each, row.arm());
      line.append(" | ");
      line.append(
          ratio == null
              ? missing(each, row)
              : String.format(
                  Locale.ROOT, "%.2f [%.2f-%.2f]", ratio.median(), ratio.lower(), ratio.upper()));
    }
    line.append(" | ").append(simple(row, measured));
    return line.append(" | ").append(both(measured, "again")).append(" |").toString();
  }

  private boolean isOfCommit(@Nullable JsonNode results) {
    return results == null || commit(results).equals(commit);
  }

  private static String commit(JsonNode results) {
    Matcher named = COMMIT.matcher(results.path("note").asText());
    return named.find() ? named.group(1) : "";
  }

  private static String missing(@Nullable JsonNode results, Row row) {
    boolean virtual = results == null && row.file().equals("virtual-threads");
    return virtual ? "has none" : "not measured";
  }

  /**
   * Netty's detector does not look at what is unpooled on the heap, of which walks are made too.
   */
  private static String simple(Row row, List<@Nullable JsonNode> measured) {
    if (row.file().endsWith("-heap") || row.file().startsWith("walk-")) {
      return "not watched";
    }
    String both = both(measured, "simple");
    return both.equals("- / -") ? "not measured" : both;
  }

  private static String both(List<@Nullable JsonNode> measured, String arm) {
    List<String> cells = new ArrayList<>();
    for (JsonNode each : measured) {
      Spread ratio = ratio(each, arm);
      cells.add(ratio == null ? "-" : String.format(Locale.ROOT, "%.2f", ratio.median()));
    }
    return String.join(" / ", cells);
  }

  /** The ratio of processor time to that without the agent, cycle by cycle. */
  private static @Nullable Spread ratio(@Nullable JsonNode results, String arm) {
    List<Double> mine = cycles(results, arm);
    List<Double> others = cycles(results, "none");
    List<Double> ratios = new ArrayList<>();
    for (int i = 0; i < Math.min(mine.size(), others.size()); i++) {
      ratios.add(mine.get(i) / others.get(i));
    }
    return ratios.isEmpty() ? null : Spread.of(ratios);
  }

  private static List<Double> cycles(@Nullable JsonNode results, String arm) {
    List<Double> cycles = new ArrayList<>();
    if (results != null) {
      for (JsonNode each : results.path("measured")) {
        if (each.path("arm").asText().equals(arm)) {
          each.path("rounds")
              .forEach(
                  round ->
                      round.path("processCpuNanos").forEach(nanos -> cycles.add(nanos.asDouble())));
        }
      }
    }
    return cycles;
  }

  /**
   * Prints the table for a commit, most of whose rows are of it.
   *
   * @param args the directory of results and the commit
   */
  static void print(List<String> args, Terminal terminal) throws IOException {
    if (args.size() != 2 || !Files.isDirectory(Path.of(args.get(0)))) {
      throw new IllegalArgumentException(MODE + " needs a directory of results and a commit");
    }
    for (String line : new ServiceTable(Path.of(args.get(0)), args.get(1)).lines()) {
      terminal.print(line + "\n");
    }
  }
}
