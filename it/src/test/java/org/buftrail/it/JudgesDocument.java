package org.buftrail.it;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.buftrail.it.Jury.Verdict;

/**
 * docs/evidence/judges.md: which judge took how many outputs. With {@code -Dbuftrail.docs=update} a
 * run writes its section, otherwise compares it. The section of recordings that are no part of the
 * repository is only written.
 */
final class JudgesDocument {
  static final String OWN = "-own";
  static final String OTHERS = "-others";

  private static final Path PAGE = Path.of("../docs/evidence/judges.md");

  private JudgesDocument() {}

  /**
   * @param always the judges of every run; others have no row in what is compared
   */
  static void compare(
      String section,
      Map<String, List<Verdict>> said,
      Set<String> always,
      Map<String, Integer> writers)
      throws IOException {
    boolean update = "update".equals(System.getProperty("buftrail.docs"));
    String start = "<!-- " + section.substring(1) + ": made by JudgesIT -->\n";
    String end = "<!-- end of " + section.substring(1) + " -->";
    String page = Files.readString(PAGE);
    int from = page.indexOf(start) + start.length();
    int to = page.indexOf(end);
    assertThat(page).contains(start, end);
    boolean own = section.equals(OWN);
    String text = "\n" + writers(writers) + "\n" + matrix(said, own ? always : Set.of()) + "\n";
    if (update) {
      Files.writeString(PAGE, page.substring(0, from) + text + page.substring(to));
    } else if (own) {
      assertThat(page.substring(from, to))
          .as("-Dbuftrail.docs=update writes it anew")
          .isEqualTo(text);
    }
  }

  private static String writers(Map<String, Integer> writers) {
    StringBuilder text = new StringBuilder();
    int sum = writers.values().stream().mapToInt(Integer::intValue).sum();
    text.append(sum).append(" recordings:\n\n| written by | recordings |\n|---|---:|\n");
    writers.forEach((writer, n) -> text.append("| " + writer + " | " + n + " |\n"));
    return text.toString();
  }

  private static String matrix(Map<String, List<Verdict>> said, Set<String> only) {
    Map<String, Map<String, int[]>> cells = new TreeMap<>();
    for (Map.Entry<String, List<Verdict>> form : said.entrySet()) {
      for (Verdict verdict : form.getValue()) {
        if (only.isEmpty() || only.contains(verdict.judge())) {
          int[] cell =
              cells
                  .computeIfAbsent(verdict.judge(), any -> new TreeMap<>())
                  .computeIfAbsent(form.getKey(), any -> new int[2]);
          cell[verdict.isOk() ? 0 : 1]++;
        }
      }
    }
    TreeSet<String> forms = new TreeSet<>(said.keySet());
    StringBuilder text = new StringBuilder("| judge |");
    forms.forEach(form -> text.append(" `" + form + "` |"));
    text.append("\n|---|");
    forms.forEach(form -> text.append("---:|"));
    text.append("\n");
    cells.forEach(
        (judge, row) -> {
          text.append("| " + judge + " |");
          for (String form : forms) {
            int[] cell = row.get(form);
            text.append(cell == null ? "  |" : " " + cell[0] + " of " + (cell[0] + cell[1]) + " |");
          }
          text.append("\n");
        });
    return text.toString();
  }
}
