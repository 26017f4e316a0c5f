package org.buftrail.it;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

/**
 * The lines of a document that a reader may paste into a shell: indented blocks, fenced blocks of a
 * shell, and what follows the prompt in a transcript.
 */
final class ShellLines {
  private static final Set<String> SHELLS = Set.of("```bash", "```sh", "```shell");
  private static final String INDENT = "    ";
  private static final String PROMPT = "$ ";

  private final List<String> found = new ArrayList<>();
  private boolean continued;

  private ShellLines() {}

  /** The repository's README and all that is below {@code docs}. */
  static List<Path> documents() throws IOException {
    Path root = Setting.JAR.resolve("../../..").normalize();
    List<Path> documents = new ArrayList<>(List.of(root.resolve("README.md")));
    try (Stream<Path> files = Files.walk(root.resolve("docs"))) {
      files.filter(file -> file.toString().endsWith(".md")).sorted().forEach(documents::add);
    }
    return documents;
  }

  static List<String> in(Path document) throws IOException {
    return in(Files.readAllLines(document));
  }

  static List<String> in(List<String> document) {
    ShellLines lines = new ShellLines();
    String fence = "";
    boolean mayIndent = true;
    for (String line : document) {
      boolean indented = line.startsWith(INDENT) && !line.isBlank();
      if (line.startsWith("```")) {
        fence = fence.isEmpty() ? line.strip() : "";
      } else if (SHELLS.contains(fence)) {
        lines.add(line);
      } else if (!fence.isEmpty()) {
        lines.transcript(line);
      } else if (indented && mayIndent) {
        lines.add(line.substring(INDENT.length()));
      }
      // An indented line within a paragraph belongs to it.
      mayIndent = line.isBlank() || (indented && mayIndent);
    }
    return lines.found;
  }

  private void transcript(String line) {
    if (line.startsWith(PROMPT)) {
      add(line.substring(PROMPT.length()));
    }
  }

  private void add(String line) {
    boolean goesOn = line.endsWith("\\");
    String text = goesOn ? line.substring(0, line.length() - 1) : line;
    if (continued) {
      int last = found.size() - 1;
      found.set(last, found.get(last) + text.strip());
    } else if (!text.isBlank()) {
      found.add(text.strip() + (goesOn ? " " : ""));
    }
    continued = goesOn;
  }
}
