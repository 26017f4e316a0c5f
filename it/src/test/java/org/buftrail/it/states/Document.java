package org.buftrail.it.states;

import static java.util.stream.Collectors.joining;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import org.buftrail.it.Setting;

/**
 * docs/evidence/states.md: what each surface tells in each state. With {@code
 * -Dbuftrail.docs=update} each scene writes its part anew.
 */
final class Document {
  private static final Path FILE =
      Path.of(Setting.property("buftrail.it.root"), "docs", "evidence", "states.md");

  private Document() {}

  /** Compares the part of a scene with its cells, or writes it. */
  static synchronized void check(String scene, Cells cells) throws IOException {
    String begin = "<!-- " + scene + ": made from what StatesIT read -->\n\n";
    String end = "<!-- end of " + scene + " -->";
    String text = Files.readString(FILE);
    int from = text.indexOf(begin) + begin.length();
    int to = text.indexOf(end);
    assertThat(to).as("the place of %s in %s", scene, FILE).isGreaterThanOrEqualTo(from);
    if ("update".equals(System.getProperty("buftrail.docs"))) {
      Files.writeString(FILE, text.substring(0, from) + cells.section() + text.substring(to));
      return;
    }
    assertThat(cells.section())
        .as("-Dbuftrail.docs=update writes it anew")
        .isEqualTo(without(cells.skipped(), text.substring(from, to)));
  }

  private static String without(Set<String> surfaces, String section) {
    return section
        .lines()
        .filter(line -> surfaces.stream().noneMatch(each -> line.startsWith("| " + each + " |")))
        .map(line -> line + "\n")
        .collect(joining());
  }
}
