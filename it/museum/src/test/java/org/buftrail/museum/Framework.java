package org.buftrail.museum;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/**
 * A small service or client of a framework, with a mistake in one method of its own. The first
 * lines of its source say on what it runs and which that is.
 *
 * @param processors what the compiler runs to find its annotations; may be none
 * @param launcher the framework's main class that starts it; empty where it has its own
 * @param quarkus the version of Quarkus that builds it; empty for others
 */
record Framework(
    String name,
    Path source,
    List<String> dependencies,
    List<String> processors,
    List<String> culprits,
    String launcher,
    String quarkus) {
  static final Path ROOT = Path.of("src/frameworks/java");

  private static final String PACKAGE = "org.buftrail.frameworks";

  static List<Framework> all() throws IOException {
    try (Stream<Path> files = Files.list(ROOT.resolve(PACKAGE.replace('.', '/')))) {
      return files
          .sorted()
          .map(Framework::read)
          .filter(each -> !each.dependencies.isEmpty())
          .toList();
    }
  }

  private static Framework read(Path file) {
    try {
      List<String> head =
          Files.readAllLines(file).stream().takeWhile(line -> line.startsWith("//")).toList();
      return new Framework(
          file.getFileName().toString().replace(".java", ""),
          file,
          Exhibit.values(head, "DEPS"),
          Exhibit.values(head, "PROCESSORS"),
          Exhibit.values(head, "CULPRIT"),
          String.join("", Exhibit.values(head, "LAUNCHER")),
          String.join("", Exhibit.values(head, "QUARKUS")));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Files that its jar has beside classes; may be missing. */
  Path resources() {
    return ROOT.resolveSibling("resources").resolve(name);
  }

  String mainClass() {
    return PACKAGE + "." + name;
  }

  @Override
  public String toString() {
    return name;
  }
}
