package org.buftrail.benchmarks.fleet;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * {@code bench sql}: how fast questions in SQL are answered about many recordings and about one
 * large one, beside the decoder alone, {@code jfr print --json} into DuckDB, and jfr-query. Each is
 * a process of its own, on the first processors, once after the files have been written.
 */
public final class SqlRun extends MeasuredRun {
  public static final String MODE = "sql";

  private static final String NO_STACKS = "select kind, sum(value) from samples group by kind";
  private static final String STACKS =
      "select kind, function, sum(value) from samples join frames using (stack_id)"
          + " where depth = 0 group by all";
  private static final String EVERYTHING =
      "select count(*), count(thread), count(distinct stack_id), sum(cardinality(tags)),"
          + " max(time), sum(second_value), max(span), max(host), max(process) from samples";

  /** These take seconds for each recording. */
  private static final int SLOW_FILES = 2;

  private final List<Measured> results = new ArrayList<>();
  private final Map<String, Long> rows = new LinkedHashMap<>();
  private List<Integer> cores = List.of(1, 2);
  private int copies = 1000;
  private long largeBytes = 5_000_000_000L;
  private @Nullable Path jfrQuery;

  /**
   * @param buftrail the launcher of this build
   */
  public SqlRun(Path buftrail, Consumer<String> progress) throws IOException {
    super(MODE, buftrail, progress);
  }

  @Override
  boolean take(String option, Iterator<String> rest) {
    switch (option) {
      case "--copies" -> copies = Integer.parseInt(value(option, rest));
      case "--large-mb" -> largeBytes = 1_000_000 * Long.parseLong(value(option, rest));
      case "--cores" ->
          cores =
              List.of(value(option, rest).split(",", -1)).stream().map(Integer::valueOf).toList();
      case "--jfr-query" -> jfrQuery = Path.of(value(option, rest));
      default -> {
        return false;
      }
    }
    return true;
  }

  @Override
  void measure() throws IOException {
    for (int count : cores) {
      if (copies > 0) {
        Path directory = scratch.resolve("copies");
        List<Path> many = SqlInputs.copies(recording, copies, directory);
        measure(copies + " recordings", List.of(directory), many, count);
      }
      if (largeBytes > 0) {
        Path large = SqlInputs.large(recording, largeBytes, scratch.resolve("large.jfr"));
        measure("one recording", List.of(large), List.of(large), count);
        Files.delete(large);
      }
    }
    slow();
  }

  private void measure(String input, List<Path> named, List<Path> files, int count)
      throws IOException {
    bare("decoder alone, values", "values", input, files, count);
    bare("decoder alone, all columns", "all", input, files, count);
    sql("DuckDB, no stack", NO_STACKS, input, named, files, count);
    sql("DuckDB, stacks", STACKS, input, named, files, count);
    sql("DuckDB, all columns", EVERYTHING, input, named, files, count);
  }

  private void bare(String what, String columns, String input, List<Path> files, int count)
      throws IOException {
    List<String> command = new ArrayList<>();
    command.add(java("java"));
    command.addAll(List.of("-XX:+UseSerialGC", "-cp", System.getProperty("java.class.path")));
    command.addAll(List.of(BareRows.class.getName(), columns, String.valueOf(count)));
    files.forEach(file -> command.add(file.toString()));
    Path said = scratch.resolve("said");
    TimedProcess.Result time = TimedProcess.run(command, count, said);
    String text = Files.readString(said);
    rows.put(input, Long.valueOf(text.substring(0, text.indexOf(' '))));
    add(what, input, count, files, rows.get(input), time);
  }

  private void sql(
      String what, String query, String input, List<Path> named, List<Path> files, int count)
      throws IOException {
    List<String> command = new ArrayList<>(List.of(buftrail.toString(), "sql", query));
    named.forEach(file -> command.add(file.toString()));
    TimedProcess.Result time = TimedProcess.run(command, count, scratch.resolve("said"));
    add(what, input, count, files, rows.getOrDefault(input, 0L), time);
  }

  private void add(
      String what, String input, int count, List<Path> files, long read, TimedProcess.Result time)
      throws IOException {
    Measured one =
        new Measured(what, input, count, files.size(), SqlInputs.bytes(files), read, time);
    results.add(one);
    progress.accept(
        String.format(Locale.ROOT, "%s, %s, %d cores: %.1f s", what, input, count, time.seconds()));
  }

  /** What others do, of fewer recordings: one after the other, as their programs take them. */
  private void slow() throws IOException {
    List<Path> few = SqlInputs.copies(recording, SLOW_FILES, scratch.resolve("few"));
    int count = cores.get(cores.size() - 1);
    Path small = Files.writeString(scratch.resolve("none.collapsed"), "a;b 1\n");
    TimedProcess.Result time = new TimedProcess.Result(0, 0);
    long events = 0;
    for (Path file : few) {
      Path json = scratch.resolve("printed.json");
      time =
          time.plus(
              TimedProcess.run(
                  List.of(java("jfr"), "print", "--json", file.toString()), count, json));
      Path said = scratch.resolve("said");
      String query =
          "select count(*) from (select unnest(recording.events) from read_json('"
              + json
              + "', maximum_object_size = 4000000000))";
      time =
          time.plus(
              TimedProcess.run(
                  List.of(buftrail.toString(), "sql", query, small.toString()), count, said));
      events +=
          Long.parseLong(Files.readString(said).lines().skip(1).findFirst().orElse("0").strip());
      Files.delete(json);
    }
    add("jfr print --json into DuckDB", SLOW_FILES + " recordings", count, few, events, time);
    if (jfrQuery != null) {
      try {
        importWithJfrQuery(few, count, jfrQuery);
      } catch (IOException e) {
        // It does not take every recording, and the others have been measured.
        String said = String.valueOf(e.getMessage());
        progress.accept("jfr-query " + said.lines().findFirst().orElse("failed"));
      }
    }
  }

  private void importWithJfrQuery(List<Path> few, int count, Path jar) throws IOException {
    TimedProcess.Result time = new TimedProcess.Result(0, 0);
    String java = System.getProperty("buftrail.jfr-query.java", java("java"));
    for (Path file : few) {
      Path database = scratch.resolve("imported.db");
      List<String> command =
          List.of(java, "-jar", jar.toString(), "import", file.toString(), database.toString());
      time = time.plus(TimedProcess.run(command, count, scratch.resolve("said")));
      Files.deleteIfExists(database);
    }
    add("jfr-query import", SLOW_FILES + " recordings", count, few, 0, time);
  }

  private static String java(String program) {
    return Path.of(System.getProperty("java.home"), "bin", program).toString();
  }

  @Override
  String table() {
    StringBuilder table = new StringBuilder();
    table.append("| way | recordings | cores | seconds | processor seconds | MB/s | rows/s |\n");
    table.append("|---|---|---|---|---|---|---|\n");
    for (Measured one : results) {
      String read = one.rows() == 0 ? "" : String.format(Locale.ROOT, "%,.0f", one.rowsPerSecond());
      table.append(
          String.format(
              Locale.ROOT,
              "| %s | %s, %,.0f MB | %d | %.1f | %.1f | %,.0f | %s |%n",
              one.what(),
              one.input(),
              one.bytes() / 1e6,
              one.cores(),
              one.time().seconds(),
              one.time().processorSeconds(),
              one.megabytesPerSecond(),
              read));
    }
    return table.toString();
  }

  @Override
  Map<String, Object> results() {
    return Map.of("measured", results);
  }
}
