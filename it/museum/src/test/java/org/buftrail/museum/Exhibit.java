package org.buftrail.museum;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/**
 * A program with a mistake that was reported and repaired in public. The first lines of its source
 * say which, each as {@code // WORD value}, in the manner of JBang.
 *
 * @param issue where it was reported or repaired, as {@code owner/name#number}
 * @param dependencies what it runs on, as {@code group:artifact:version}
 * @param repaired the version of the first of these without the mistake; empty where the mistake is
 *     the program's own
 * @param culprits the methods that the repair changed
 * @param others what the sentence on flows that came the same way has to count; one of each visit
 *     that goes well where the source does not say
 * @param include what the library's maintainer would pass to {@code include=}; empty where the
 *     mistake is the program's own
 */
record Exhibit(
    String name,
    Path source,
    String issue,
    List<String> dependencies,
    String repaired,
    List<String> culprits,
    Contrasted.Others others,
    String include) {
  static final Path ROOT = Path.of("src/exhibits/java");

  private static final String PACKAGE = "org.buftrail.museum";

  static List<Exhibit> all() throws IOException {
    try (Stream<Path> files = Files.list(ROOT.resolve(PACKAGE.replace('.', '/')))) {
      return files.filter(Exhibit::isExhibit).sorted().map(Exhibit::read).toList();
    }
  }

  private static boolean isExhibit(Path file) {
    return !file.endsWith("Visits.java");
  }

  private static Exhibit read(Path file) {
    String name = file.getFileName().toString().replace(".java", "");
    List<String> head = head(file);
    Exhibit exhibit =
        new Exhibit(
            name,
            file,
            String.join("", values(head, "ISSUE")),
            values(head, "DEPS"),
            String.join("", values(head, "REPAIRED")),
            values(head, "CULPRIT"),
            others(String.join("", values(head, "OTHERS"))),
            String.join("", values(head, "INCLUDE")));
    boolean complete =
        exhibit.issue.matches("[\\w.-]+/[\\w.-]+#\\d+")
            && !exhibit.dependencies.isEmpty()
            && !exhibit.culprits.isEmpty()
            && exhibit.isOwn() == exhibit.repaired.isEmpty()
            && exhibit.isOwn() == exhibit.include.isEmpty();
    if (!complete) {
      throw new IllegalStateException(file + ": " + exhibit);
    }
    return exhibit;
  }

  private static Contrasted.Others others(String numbers) {
    String[] each = (numbers.isEmpty() ? "1 0" : numbers).split(" ", 2);
    return new Contrasted.Others(Integer.parseInt(each[0]), Integer.parseInt(each[1]));
  }

  private static List<String> head(Path file) {
    try (Stream<String> lines = Files.lines(file)) {
      return lines.takeWhile(line -> line.startsWith("//")).toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** What follows a word, on its line or, where that would be too long, on the next. */
  static List<String> values(List<String> head, String word) {
    String start = "// " + word;
    List<String> values = new ArrayList<>();
    for (int i = 0; i < head.size(); i++) {
      if (head.get(i).startsWith(start + " ")) {
        values.add(head.get(i).substring(start.length()).strip());
      } else if (head.get(i).equals(start)) {
        values.add(head.get(i + 1).substring(2).strip());
      }
    }
    return values;
  }

  String mainClass() {
    return PACKAGE + "." + name;
  }

  /** Whether the mistake is in the program, and not in the library. */
  boolean isOwn() {
    return culprits.get(0).startsWith(PACKAGE + ".");
  }

  /** What the same program runs on without the mistake. */
  List<String> repairedDependencies() {
    String first = dependencies.get(0);
    String fixed = first.substring(0, first.lastIndexOf(':') + 1) + repaired;
    return Stream.concat(Stream.of(fixed), dependencies.stream().skip(1)).toList();
  }

  @Override
  public String toString() {
    return name;
  }
}
