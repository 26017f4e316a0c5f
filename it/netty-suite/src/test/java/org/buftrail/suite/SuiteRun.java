package org.buftrail.suite;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;

/** Test classes run in one arm, with as many JVMs as it takes. */
final class SuiteRun {
  private static final int MINUTES = 60;

  private final Path directory;
  private final List<String> line;
  private final Map<String, String> results = new TreeMap<>();
  private final Map<String, String> reasons = new TreeMap<>();
  private final Set<String> unfinished = new TreeSet<>();
  private final List<JsonNode> books = new ArrayList<>();
  private long peakKib;
  private int jvms;

  /**
   * Runs them.
   *
   * @param line the command up to the class path; {@code report} is where the agent, if there is
   *     one, leaves its report
   */
  SuiteRun(Path directory, List<String> line, List<String> classes, String seconds)
      throws IOException, InterruptedException {
    this.directory = Files.createDirectories(directory);
    this.line = line;
    for (List<String> left = classes; !left.isEmpty(); ) {
      left = left.subList(runSome(left, seconds), left.size());
    }
  }

  /** Returns how many of the classes are dealt with. */
  private int runSome(List<String> classes, String seconds)
      throws IOException, InterruptedException {
    int part = ++jvms;
    Path list = Files.write(directory.resolve("classes" + part), classes);
    Path file = directory.resolve("results" + part + ".tsv");
    Path report = directory.resolve("flows.json");
    Files.deleteIfExists(report);
    List<String> command = new ArrayList<>(line);
    command.addAll(List.of(SuiteRunner.class.getName(), list.toString(), file.toString(), seconds));
    File output = directory.resolve("output" + part + ".txt").toFile();
    Process process =
        new ProcessBuilder(command)
            .directory(directory.toFile())
            .redirectErrorStream(true)
            .redirectOutput(output)
            .start();
    long end = System.nanoTime() + TimeUnit.MINUTES.toNanos(MINUTES);
    while (!process.waitFor(200, TimeUnit.MILLISECONDS)) {
      peakKib = Math.max(peakKib, Memory.peakKib(process.pid()));
      if (System.nanoTime() > end) {
        process.destroyForcibly().waitFor();
        throw new IOException("still running after " + MINUTES + " minutes: " + output);
      }
    }
    if (Files.exists(report)) {
      books.add(new ObjectMapper().readTree(report.toFile()));
      Files.move(report, directory.resolve("flows" + part + ".json"));
    }
    return read(file, output);
  }

  private int read(Path file, File output) throws IOException {
    if (!Files.exists(file)) {
      throw new IOException("the tests did not start: " + output);
    }
    int begun = 0;
    String current = "";
    boolean whole = false;
    for (String row : Files.readAllLines(file)) {
      String[] columns = row.split("\t", -1);
      switch (columns[0]) {
        case ResultFile.BEGUN -> {
          begun++;
          current = columns[1];
        }
        case ResultFile.DONE -> current = "";
        case ResultFile.ALL_DONE -> whole = true;
        case ResultFile.CUT -> {}
        default -> {
          results.put(columns[1], columns[0]);
          reasons.put(columns[1], columns[2]);
        }
      }
    }
    if (!whole) {
      unfinished.add(current);
    }
    return begun;
  }

  /** What became of each test, by its id. */
  Map<String, String> results() {
    return results;
  }

  String reason(String test) {
    return reasons.getOrDefault(test, "");
  }

  /** Classes that took too long, or ended the JVM. */
  Set<String> unfinished() {
    return unfinished;
  }

  /** The most memory that one of the JVMs had at any moment. */
  long peakKib() {
    return peakKib;
  }

  /** The agent's reports, one a JVM. */
  List<JsonNode> books() {
    return books;
  }

  long total(String name) {
    return books.stream().mapToLong(flows -> flows.path("totals").path(name).asLong()).sum();
  }

  @Override
  public String toString() {
    Map<String, Integer> counts = new TreeMap<>();
    results.values().forEach(status -> counts.merge(status, 1, Integer::sum));
    return counts + " in " + jvms + " JVMs, peak " + (peakKib >> 10) + " MiB, cut " + unfinished;
  }
}
