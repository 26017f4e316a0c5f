package org.buftrail.museum;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collection;
import java.util.Comparator;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** The table of {@code docs/evidence/museum.md}. */
final class Page {
  static final Comparator<Exhibit> ORDER =
      Comparator.comparing(Exhibit::isOwn).thenComparing(Exhibit::name);

  private static final Path FILE = Path.of("../../docs/evidence/museum.md");
  private static final String START = "<!-- table: made by MuseumIT -->\n";
  private static final String END = "<!-- end of table -->";

  private Page() {}

  static void compare(Map<Exhibit, Row> rows) throws IOException {
    String page = Files.readString(FILE);
    assertThat(page).contains(START, END);
    int from = page.indexOf(START) + START.length();
    int to = page.indexOf(END);
    String table = table(rows);
    if ("update".equals(System.getProperty("buftrail.docs"))) {
      Files.writeString(FILE, page.substring(0, from) + table + page.substring(to));
    } else {
      assertThat(withoutDetector(page.substring(from, to)))
          .as("-Dbuftrail.docs=update writes it anew")
          .isEqualTo(withoutDetector(table));
    }
  }

  /** The detector keeps some of its records by chance, so its column differs from run to run. */
  private static String withoutDetector(String table) {
    return table.replaceAll("(?m)\\|[^|\\n]*\\|$", "|");
  }

  static String table(Map<Exhibit, Row> rows) {
    StringBuilder text = new StringBuilder("\n| exhibit | reported | mistake in | ");
    text.append(
        "agent | with `include` | the others | PARANOID |\n|---|---|---|---|---|---|---|\n");
    rows.forEach(
        (exhibit, row) ->
            text.append("| ")
                .append(
                    String.join(
                        " | ",
                        exhibit.name(),
                        link(exhibit.issue()),
                        exhibit.isOwn() ? "own code" : "library",
                        row.plain().text,
                        text(row.include()),
                        row.contrast().text,
                        row.detector().text))
                .append(" |\n"));
    text.append(
        "\n| named first / among the first three | agent | with `include` | the others | PARANOID |\n");
    text.append("|---|---|---|---|---|\n");
    sums(text, "own code", rows, true);
    sums(text, "library", rows, false);
    return text.append('\n').toString();
  }

  private static void sums(StringBuilder text, String what, Map<Exhibit, Row> all, boolean own) {
    Collection<Row> rows =
        all.entrySet().stream()
            .filter(each -> each.getKey().isOwn() == own)
            .map(Map.Entry::getValue)
            .toList();
    text.append("| ").append(what).append(", ").append(rows.size()).append(" | ");
    text.append(sum(rows, Row::plain)).append(" | ");
    text.append(own ? "" : sum(rows, Row::include)).append(" | ");
    text.append(right(rows)).append(" | ");
    text.append(sum(rows, Row::detector)).append(" |\n");
  }

  /** {@code 4 of 4 right}: of the rows that have the sentence. */
  private static String right(Collection<Row> rows) {
    long said = rows.stream().filter(row -> row.contrast() != Contrasted.NONE).count();
    long right = rows.stream().filter(row -> row.contrast() == Contrasted.RIGHT).count();
    return right + " of " + said + " right";
  }

  private static String sum(Collection<Row> rows, Function<Row, @Nullable Named> column) {
    int first = 0;
    int three = 0;
    for (Row row : rows) {
      Named named = column.apply(row);
      first += named == Named.FIRST ? 1 : 0;
      three += named == Named.FIRST || named == Named.AMONG_THREE ? 1 : 0;
    }
    return first + " / " + three;
  }

  private static String text(@Nullable Named named) {
    return named == null ? "" : named.text;
  }

  private static String link(String issue) {
    String[] parts = issue.split("#", -1);
    return "[" + issue + "](https://github.com/" + parts[0] + "/issues/" + parts[1] + ")";
  }
}
