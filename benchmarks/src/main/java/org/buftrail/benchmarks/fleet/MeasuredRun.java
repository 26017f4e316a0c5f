package org.buftrail.benchmarks.fleet;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Measures what is done with a recording, in a directory that is deleted at the end. */
abstract class MeasuredRun {
  private final String name;
  final Path buftrail;
  final Path scratch;
  final Consumer<String> progress;
  Path recording = Path.of("");
  private @Nullable Path output;
  private String note = "";

  MeasuredRun(String name, Path buftrail, Consumer<String> progress) throws IOException {
    this.name = name;
    this.buftrail = buftrail;
    this.progress = progress;
    scratch = Files.createTempDirectory("buftrail-bench-" + name);
  }

  /** Takes the value of an option; answers whether it is one of this run. */
  abstract boolean take(String option, Iterator<String> rest);

  abstract void measure() throws IOException;

  /** What came out, for the file of results. */
  abstract Map<String, Object> results() throws IOException;

  /** The same in Markdown. */
  abstract String table();

  /**
   * Measures; answers tables in Markdown.
   *
   * @throws IllegalArgumentException saying what is wrong with the arguments
   */
  public final String run(List<String> arguments) throws IOException {
    try {
      Iterator<String> rest = arguments.iterator();
      while (rest.hasNext()) {
        String argument = rest.next();
        switch (argument) {
          case "--output" -> output = Path.of(value(argument, rest));
          case "--note" -> note = value(argument, rest);
          default -> recording = take(argument, rest) ? recording : Path.of(argument);
        }
      }
      if (!Files.isRegularFile(recording)) {
        throw new IllegalArgumentException("there must be a recording to make others of");
      }
      measure();
      write(arguments);
      return table();
    } finally {
      delete(scratch);
    }
  }

  static String value(String option, Iterator<String> rest) {
    if (!rest.hasNext()) {
      throw new IllegalArgumentException(option + " needs a value");
    }
    return rest.next();
  }

  private void write(List<String> arguments) throws IOException {
    if (output == null) {
      return;
    }
    Map<String, Object> root = new LinkedHashMap<>();
    root.put("format", "buftrail.benchmarks." + name);
    root.put("version", 1);
    // Without places, which are nothing that others could repeat.
    root.put("options", arguments.stream().map(each -> each.replaceAll(".*/", "")).toList());
    root.put("recordingBytes", Files.size(recording));
    root.put("jdk", Runtime.version().toString());
    root.put("processors", Runtime.getRuntime().availableProcessors());
    root.put("note", note);
    root.putAll(results());
    ObjectMapper json = new ObjectMapper().enable(SerializationFeature.INDENT_OUTPUT);
    json.writeValue(Path.of(output + ".json").toFile(), root);
    Files.writeString(Path.of(output + ".md"), table());
  }

  private static void delete(Path directory) throws IOException {
    List<Path> all = new ArrayList<>();
    try (Stream<Path> found = Files.walk(directory)) {
      found.forEach(all::add);
    }
    for (int i = all.size() - 1; i >= 0; i--) {
      Files.delete(all.get(i));
    }
  }
}
