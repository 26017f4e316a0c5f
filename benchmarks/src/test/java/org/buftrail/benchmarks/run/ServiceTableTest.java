package org.buftrail.benchmarks.run;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What documents say of services is what the committed results say. */
final class ServiceTableTest {
  private static final Path RESULTS = Path.of("results");

  /** The commit that a document names for the rows without a star. */
  private static final Pattern MEASURED = Pattern.compile("(?:agent of|no agent;) commit (\\w+)");

  /**
   * {@code -Dbuftrail.docs=update} puts them in; {@code ./buftrail bench table benchmarks/results
   * COMMIT} prints them.
   */
  @ParameterizedTest
  @CsvSource({"../README.md, ^\\| (?!a loaded)", "../docs/performance.md, nothing"})
  void rowsOfADocumentAreThoseOfTheResults(String document, String leftOut) throws IOException {
    String text = Files.readString(Path.of(document));
    Matcher commit = MEASURED.matcher(text);
    assertThat(commit.find()).as("the commit that was measured").isTrue();
    List<String> rows = new ServiceTable(RESULTS, commit.group(1)).lines();
    rows.removeIf(row -> Pattern.compile(leftOut).matcher(row).find());
    assertThat(rows).isNotEmpty();
    String made = String.join("\n", rows);
    if ("update".equals(System.getProperty("buftrail.docs"))) {
      Files.writeString(Path.of(document), text.replace(tableIn(text), made));
    } else {
      assertThat(tableIn(text)).isEqualTo(made);
    }
  }

  /** Below the heading of the first table with a column for each JDK. */
  private static String tableIn(String text) {
    List<String> rows = new ArrayList<>();
    boolean inside = false;
    for (String line : text.lines().toList()) {
      if (inside && !line.startsWith("|")) {
        break;
      }
      if (inside && !line.startsWith("|---")) {
        rows.add(line);
      }
      inside |= line.startsWith("|") && line.contains("| JDK 17 | JDK 25 |");
    }
    return String.join("\n", rows);
  }

  private static void write(Path directory, String name, String commit, String cycles)
      throws IOException {
    String arms = "";
    for (String arm : List.of("none", "all")) {
      String values = arm.equals("none") ? "10, 10, 20" : cycles;
      arms += "{'arm': '" + arm + "', 'rounds': [{'processCpuNanos': [" + values + "]}]}, ";
    }
    String json = "{'note': 'Agent of commit " + commit + ".', 'measured': [" + arms + "{}]}";
    Files.writeString(directory.resolve(name), json.replace('\'', '"'));
  }

  @Test
  void aRatioIsTheMedianOfCyclesAndAnotherCommitHasAStar(@TempDir Path directory)
      throws IOException {
    write(directory, "services-in-flight-512-heap-jdk17.json", "abcdef0", "10, 30, 40");
    write(directory, "services-in-flight-16-heap-jdk17.json", "abcdef0", "10, 10, 20");
    write(directory, "services-in-flight-16-heap-jdk25.json", "abcdef1", "11, 11, 22");
    assertThat(new ServiceTable(directory, "abcdef0").lines())
        .containsExactly(
            "| 16 heap buffers in flight * | 1.00 [1.00-1.00] | 1.10 [1.10-1.10] | not watched | -"
                + " / - |",
            "| 512 heap buffers in flight | 2.00 [1.00-3.00] | not measured | not watched | - / -"
                + " |");
  }
}
