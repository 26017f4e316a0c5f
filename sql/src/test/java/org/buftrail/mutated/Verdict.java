package org.buftrail.mutated;

import java.io.IOException;
import java.io.StringReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.buftrail.profile.json.JsonIn;
import org.jspecify.annotations.Nullable;

/** Whether a command ended as it should: a mark says what is wrong. */
final class Verdict {
  /** What nobody should see; DuckDB calls its own errors so too, but not with a Java name. */
  private static final Pattern TRACE =
      Pattern.compile("\tat |unexpected |out of memory|[a-z]\\.[A-Z]\\w*(Exception|Error)\\b");

  private static final Set<String> BINARY = Set.of("otlp", "pprof");

  /** Files that may be in the directory of a case besides its outputs. */
  private static final List<String> KNOWN = List.of("in.", "base.", "out", "dataset", "journal");

  private Verdict() {}

  /** Null if all is well. */
  static @Nullable String of(Ended run, Path directory) throws IOException {
    String mark = ofSpeech(run);
    if (mark != null) {
      return mark;
    }
    List<Path> files;
    try (Stream<Path> all = Files.list(directory)) {
      files = all.sorted().toList();
    }
    boolean isWritten = false;
    for (Path file : files) {
      String name = Objects.requireNonNull(file.getFileName()).toString();
      if (KNOWN.stream().noneMatch(name::startsWith)) {
        return "left " + name;
      }
      if (name.startsWith("out")) {
        isWritten = true;
        mark = run.line().get(0).equals("sql") ? ofTable(file, name) : ofFile(file, name);
        if (mark != null) {
          return "bad output " + mark;
        }
      }
    }
    boolean isAsked = run.line().contains("-o") && !run.line().contains("parquet");
    return isAsked && run.exit() == 0 && !isWritten ? "no output: " + run.err() : null;
  }

  private static @Nullable String ofSpeech(Ended run) {
    if (run.exit() < 0 || run.exit() > 2) {
      return "exit code " + run.exit();
    }
    if (TRACE.matcher(run.err()).find()) {
      return "says " + run.err();
    }
    boolean isCheck = run.line().get(0).equals("check");
    if (run.exit() != 0 && run.err().isBlank() && !isCheck) {
      return "silent with exit code " + run.exit();
    }
    if (control(run.err()) != null) {
      return "on standard error " + control(run.err());
    }
    boolean isText = run.line().stream().noneMatch(BINARY::contains);
    if (isText && control(run.out()) != null) {
      return "on standard output " + control(run.out());
    }
    return null;
  }

  /** Where a text would control a terminal, or null. */
  private static @Nullable String control(String text) {
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      int type = Character.getType(c);
      boolean isControl =
          type == Character.CONTROL
              || type == Character.FORMAT
              || type == Character.LINE_SEPARATOR
              || type == Character.PARAGRAPH_SEPARATOR;
      if (isControl && c != '\n' && c != '\t') {
        String around = text.substring(Math.max(0, i - 60), Math.min(text.length(), i + 40));
        return String.format("U+%04X in %s", (int) c, around.replaceAll("\\p{C}", "?"));
      }
    }
    return null;
  }

  private static @Nullable String ofFile(Path file, String name) throws IOException {
    if (Files.size(file) == 0) {
      return "empty " + name;
    }
    if (name.endsWith(".otlp") || name.endsWith(".otlp.json")) {
      Ended check = Ended.run(List.of("check", file.toString()));
      return check.exit() == 0 ? null : "check: " + check.out() + check.err();
    }
    if (name.endsWith(".pb.gz")) {
      Ended read = Ended.run(List.of("report", file.toString()));
      return read.exit() == 0 ? null : "cannot be read again: " + read.err();
    }
    String text = Files.readString(file, StandardCharsets.UTF_8);
    if (name.endsWith(".html")) {
      boolean isWhole = text.stripTrailing().endsWith("</html>");
      return !isWhole || text.contains(Hostile.SCRIPT) || text.indexOf('\u001b') >= 0
          ? "page " + name
          : null;
    }
    String control = control(text);
    if (control != null) {
      return name + " " + control;
    }
    if (name.endsWith(".json")) {
      return json(text);
    }
    boolean isCollapsed = name.endsWith(".collapsed");
    return isCollapsed && !text.lines().allMatch(line -> line.matches(".* -?[0-9]+"))
        ? "collapsed " + name
        : null;
  }

  /** A table has any number of rows; in JSON, each is a line. */
  private static @Nullable String ofTable(Path file, String name) throws IOException {
    if (name.endsWith(".json")) {
      for (String line : Files.readAllLines(file, StandardCharsets.UTF_8)) {
        String mark = json(line);
        if (mark != null) {
          return mark;
        }
      }
    }
    return null;
  }

  private static @Nullable String json(String text) {
    try {
      JsonIn in = new JsonIn(new StringReader(text), Long.MAX_VALUE, Integer.MAX_VALUE, 1_000);
      in.skip();
      in.end();
      return null;
    } catch (IOException e) {
      return "json: " + e.getMessage();
    }
  }
}
