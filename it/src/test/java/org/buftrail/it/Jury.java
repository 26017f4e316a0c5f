package org.buftrail.it;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Programs of others that read our outputs, and what they say. */
final class Jury {
  /** Files that a program gets at a time; a command line holds so many. */
  private static final int AT_A_TIME = 200;

  private final Path home;

  private Jury(Path home) {
    this.home = home;
  }

  /** What a judge said of a file. */
  record Verdict(String judge, String file, String text) {
    boolean isOk() {
      return text.startsWith("ok");
    }

    /** The sums that it found, by sample type and unit. */
    Map<String, Long> sums() {
      Map<String, Long> sums = new TreeMap<>();
      String inside = text.replaceAll("^ok ?\\[?|]$", "");
      if (!inside.isEmpty()) {
        for (String sum : inside.split(" ", -1)) {
          int colon = sum.lastIndexOf(':');
          sums.put(sum.substring(0, colon), Long.parseLong(sum.substring(colon + 1)));
        }
      }
      return sums;
    }
  }

  /** Builds and installs them with {@code it/fetch-judges}. */
  static Jury fetch() throws Exception {
    Path script = Path.of("fetch-judges").toAbsolutePath();
    Process process =
        new ProcessBuilder(script.toString())
            .redirectError(ProcessBuilder.Redirect.INHERIT)
            .start();
    String home = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    if (process.waitFor() != 0) {
      throw new IOException("it/fetch-judges failed");
    }
    return new Jury(Path.of(home.strip()));
  }

  private static List<Verdict> ask(List<String> program, List<Path> files) throws Exception {
    List<Verdict> verdicts = new ArrayList<>();
    for (int from = 0; from < files.size(); from += AT_A_TIME) {
      List<String> command = new ArrayList<>(program);
      files
          .subList(from, Math.min(from + AT_A_TIME, files.size()))
          .forEach(file -> command.add(file.toString()));
      Process process =
          new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT).start();
      String text = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
      if (process.waitFor() != 0) {
        throw new IOException(String.join(" ", program) + " failed: " + text);
      }
      for (String line : text.lines().toList()) {
        List<String> parts = List.of(line.split("\t", 3));
        String file = Path.of(parts.get(1)).getFileName().toString();
        verdicts.add(new Verdict(parts.get(0), file, parts.get(2)));
      }
    }
    return verdicts;
  }

  /** All files that end so, below a folder. */
  static List<Path> files(Path folder, String... endings) throws IOException {
    try (Stream<Path> files = Files.walk(folder)) {
      return files
          .filter(file -> Stream.of(endings).anyMatch(file.toString()::endsWith))
          .sorted()
          .toList();
    }
  }

  /** OpenTelemetry's classes, the Collector's pdata, pprof's library and command. */
  List<Verdict> byGo(Path folder) throws Exception {
    return ask(
        List.of(home.resolve("judges").toString()), files(folder, ".otlp", ".otlp.json", ".pb.gz"));
  }

  /** Speedscope's importer and schema. */
  List<Verdict> byNode(Path folder) throws Exception {
    Path script = Path.of("judges/speedscope.mjs").toAbsolutePath();
    return ask(
        List.of("node", script.toString(), home.toString()),
        files(folder, ".speedscope.json", ".pb.gz", ".collapsed"));
  }

  /** DuckDB and PyArrow; a verdict is about a recording of the dataset. */
  List<Verdict> byPython(Path dataset) throws Exception {
    String python = home.resolve("python/bin/python").toString();
    Path script = Path.of("judges/parquet.py").toAbsolutePath();
    return ask(List.of(python, script.toString()), List.of(dataset));
  }

  /**
   * A program that takes one file, and refuses it with an exit code that is not 0.
   *
   * @param program what to start, with options; empty if there is none
   */
  static List<Verdict> byProgram(String judge, String program, Path folder) throws Exception {
    List<Verdict> verdicts = new ArrayList<>();
    if (!program.isEmpty()) {
      for (Path file : files(folder, ".otlp")) {
        @Nullable String complaint = complaint(program, file);
        verdicts.add(
            new Verdict(
                judge,
                file.getFileName().toString(),
                complaint == null ? "ok" : "refused: " + complaint));
      }
    }
    return verdicts;
  }

  /** What a program says against a file; null if it takes it. */
  static @Nullable String complaint(String program, Path file) throws Exception {
    List<String> command = new ArrayList<>(List.of(program.split(" ", -1)));
    command.add(file.toString());
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    String text = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    return process.waitFor() == 0 ? null : text.strip().replace('\n', ';');
  }
}
