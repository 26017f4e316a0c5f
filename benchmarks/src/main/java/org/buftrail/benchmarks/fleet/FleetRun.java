package org.buftrail.benchmarks.fleet;

import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Executors;
import java.util.function.Consumer;
import java.util.stream.Stream;

/**
 * {@code bench fleet RECORDING}: what a recording costs in a fleet of its like. They are the same
 * at other times of a day, and are taken by {@code watch}, a few and then many, so that the
 * difference is what one costs a process that stays. Then their dataset is compacted and asked.
 */
public final class FleetRun extends MeasuredRun {
  private static final Map<String, String> QUESTIONS =
      Map.of(
          "sums by kind",
              "select kind, count(*), sum(value) from samples group by all order by all",
          "hot methods", "from hot_methods limit 10",
          "slow hosts", "from slow_hosts limit 10",
          "events by type", "select event, count(*) from events group by all order by all");

  private static final int ROUNDS = 5;
  private static final int A_DAY = 100_000;

  private final Map<String, Object> constants = new LinkedHashMap<>();
  private final List<Asked> asked = new ArrayList<>();
  private int few = 50;
  private int many = 1_000;
  private int pushed = 200;

  /** A question, and what it takes beyond the start of a JVM and of DuckDB. */
  private record Asked(String question, String query, double seconds, double processorSeconds) {}

  /**
   * @param buftrail the launcher of this build
   */
  public FleetRun(Path buftrail, Consumer<String> progress) throws IOException {
    super("fleet", buftrail, progress);
  }

  @Override
  boolean take(String option, Iterator<String> rest) {
    switch (option) {
      case "--recordings" -> many = Integer.parseInt(value(option, rest));
      case "--few" -> few = Integer.parseInt(value(option, rest));
      case "--pushed" -> pushed = Integer.parseInt(value(option, rest));
      default -> {
        return false;
      }
    }
    return true;
  }

  @Override
  void measure() throws IOException {
    if (many <= few || pushed <= few) {
      throw new IllegalArgumentException("fleet needs more recordings than few");
    }
    LaterRecordings later = new LaterRecordings(recording);
    constants.put("recordingBytes", later.bytes());
    push(later);
    Path dataset = scratch.resolve("dataset");
    add(later, dataset);
    constants.put("bytesInDataset", bytes(dataset) / (double) (few + many));
    constants.put("files", files(dataset));
    TimedProcess.Result compaction = run("compact", dataset.toString());
    put("compact", compaction.processorSeconds() / (few + many));
    constants.put("bytesCompacted", bytes(dataset) / (double) (few + many));
    constants.put("filesCompacted", files(dataset));
    ask(dataset);
  }

  private void push(LaterRecordings later) throws IOException {
    HttpServer receiver =
        HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    receiver.setExecutor(Executors.newCachedThreadPool());
    receiver.createContext(
        "/",
        exchange -> {
          exchange.getRequestBody().transferTo(OutputStream.nullOutputStream());
          exchange.getResponseHeaders().add("Content-Type", "application/x-protobuf");
          exchange.sendResponseHeaders(200, -1);
          exchange.close();
        });
    receiver.start();
    try {
      String endpoint = "http://127.0.0.1:" + receiver.getAddress().getPort();
      double perRecording = difference(later, "pushed", pushed, "--endpoint", endpoint);
      put("push", perRecording);
    } finally {
      receiver.stop(0);
    }
  }

  private void add(LaterRecordings later, Path dataset) throws IOException {
    put("add", difference(later, "added", many, "--dataset", dataset.toString()));
  }

  /** Processor seconds of one recording more, in a watch that stays. */
  private double difference(LaterRecordings later, String name, int count, String... to)
      throws IOException {
    Path directory = scratch.resolve(name);
    double start = watch(later, directory, 0, few, to).processorSeconds();
    double all = watch(later, directory, few, count, to).processorSeconds();
    return (all - start) / (count - few);
  }

  /** What a watch of other recordings takes. */
  private TimedProcess.Result watch(
      LaterRecordings later, Path directory, int first, int count, String... to)
      throws IOException {
    later.write(directory, first, count);
    List<String> line = new ArrayList<>(List.of("watch", directory.toString(), "--once"));
    line.addAll(List.of("--workers", "2", "--age", "0"));
    line.addAll(List.of(to));
    TimedProcess.Result time = run(line.toArray(String[]::new));
    try (Stream<Path> files = Files.list(directory)) {
      for (Path file : files.filter(each -> each.toString().endsWith(".jfr")).toList()) {
        Files.delete(file);
      }
    }
    return time;
  }

  /** The median of some rounds, in turn with a question that reads nothing. */
  private void ask(Path dataset) throws IOException {
    Path nothing = Files.writeString(scratch.resolve("nothing.collapsed"), "a;b 1\n");
    for (Map.Entry<String, String> question : QUESTIONS.entrySet()) {
      List<Double> seconds = new ArrayList<>();
      List<Double> processor = new ArrayList<>();
      for (int round = 0; round < ROUNDS; round++) {
        TimedProcess.Result start = run("sql", "select 1 as one", nothing.toString());
        TimedProcess.Result all = run("sql", question.getValue(), dataset.toString());
        seconds.add(all.seconds() - start.seconds());
        processor.add(all.processorSeconds() - start.processorSeconds());
      }
      asked.add(
          new Asked(question.getKey(), question.getValue(), median(seconds), median(processor)));
      progress.accept(String.format(Locale.ROOT, "%s: %.2f s", question.getKey(), median(seconds)));
    }
  }

  private static double median(List<Double> values) {
    Collections.sort(values);
    return values.get(values.size() / 2);
  }

  private TimedProcess.Result run(String... words) throws IOException {
    List<String> command = new ArrayList<>(List.of(buftrail.toString()));
    command.addAll(List.of(words));
    return TimedProcess.run(command, 2, scratch.resolve("said"));
  }

  private void put(String name, double processorSeconds) {
    constants.put(name + "ProcessorSeconds", processorSeconds);
    progress.accept(String.format(Locale.ROOT, "%s: %.4f s each", name, processorSeconds));
  }

  private static List<Path> all(Path dataset) throws IOException {
    try (Stream<Path> all = Files.walk(dataset)) {
      return all.filter(file -> file.toString().matches(".*\\.(parquet|json|ids)")).toList();
    }
  }

  private static int files(Path dataset) throws IOException {
    return all(dataset).size();
  }

  private static long bytes(Path dataset) throws IOException {
    return SqlInputs.bytes(all(dataset));
  }

  private double constant(String name) {
    return ((Number) constants.getOrDefault(name, 0)).doubleValue();
  }

  @Override
  String table() {
    double add = constant("addProcessorSeconds") + constant("compactProcessorSeconds");
    StringBuilder text = new StringBuilder("| what | one recording | 100,000 |\n|---|---|---|\n");
    row(text, "processor seconds, pushed", "%.3f", constant("pushProcessorSeconds"));
    row(text, "processor seconds, added", "%.3f", constant("addProcessorSeconds"));
    row(text, "processor seconds, compacted", "%.3f", constant("compactProcessorSeconds"));
    row(text, "processor seconds, added and compacted", "%.3f", add);
    row(text, "MB as it is", "%.3f", constant("recordingBytes") / 1e6);
    row(text, "MB in a dataset", "%.3f", constant("bytesInDataset") / 1e6);
    row(text, "MB in a dataset, compacted", "%.3f", constant("bytesCompacted") / 1e6);
    text.append("\n| question | seconds beyond the start | processor seconds |\n|---|---|---|\n");
    for (Asked one : asked) {
      text.append(
          String.format(
              Locale.ROOT,
              "| %s | %.2f | %.2f |%n",
              one.question(),
              one.seconds(),
              one.processorSeconds()));
    }
    return text.toString();
  }

  private static void row(StringBuilder text, String what, String format, double one) {
    text.append("| ").append(what).append(" | ").append(String.format(Locale.ROOT, format, one));
    text.append(String.format(Locale.ROOT, " | %,.0f |%n", A_DAY * one));
  }

  @Override
  Map<String, Object> results() {
    Map<String, Object> results = new LinkedHashMap<>();
    results.put("recordings", few + many);
    results.put("constants", constants);
    results.put("questions", asked);
    return results;
  }
}
