package org.buftrail.it;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;

/**
 * The table of docs/beside-other-agents.md, with what a run found exact. With {@code
 * -Dbuftrail.docs=update} the run writes it. Otherwise the rows must be those of the agents, each
 * exact somewhere.
 */
final class BesideDocument {
  static final String BEHIND = "behind";
  static final String IN_FRONT = "in front";
  static final String ATTACHED = "attached";

  private static final Path PAGE =
      Path.of(Setting.property("buftrail.apps")).resolve("../../docs/beside-other-agents.md");
  private static final String START = "<!-- table: made by BesideOtherAgentsIT -->\n";
  private static final String END = "<!-- end of table -->";

  /** The versions of Java, by agent and place. */
  private final Map<String, TreeSet<Integer>> exact = new ConcurrentHashMap<>();

  void add(OtherAgentLine other, String where, Path home) {
    int java = new Setting(home, "").javaVersion();
    exact.compute(
        key(other, where),
        (key, known) -> {
          TreeSet<Integer> more = known == null ? new TreeSet<>() : known;
          more.add(java);
          return more;
        });
  }

  private static String key(OtherAgentLine other, String where) {
    return other.name() + "/" + where;
  }

  private String table() {
    StringBuilder text =
        new StringBuilder(
            "| agent | behind it | in front of it | attached later | the same as without Buftrail |"
                + "\n|---|---|---|---|---|\n");
    for (OtherAgentLine other : OtherAgentLine.all()) {
      text.append("| ").append(other.name());
      for (String where : List.of(BEHIND, IN_FRONT, ATTACHED)) {
        TreeSet<Integer> versions = exact.getOrDefault(key(other, where), new TreeSet<>());
        text.append(" | ")
            .append(
                versions.isEmpty()
                    ? "not exact"
                    : versions.stream().map(String::valueOf).collect(Collectors.joining(", ")));
      }
      text.append(" | ").append(other.says().what).append(" |\n");
    }
    return text.toString();
  }

  void check() throws IOException {
    String page = Files.readString(PAGE);
    assertThat(page).contains(START, END);
    int from = page.indexOf(START) + START.length();
    int to = page.indexOf(END);
    if ("update".equals(System.getProperty("buftrail.docs"))) {
      Files.writeString(PAGE, page.substring(0, from) + table() + page.substring(to));
    } else {
      List<String> rows = page.substring(from, to).lines().skip(2).toList();
      assertThat(rows.stream().map(row -> row.split(" \\| ", -1)[0].substring(2)))
          .as("-Dbuftrail.docs=update writes it anew")
          .containsExactlyElementsOf(
              OtherAgentLine.all().stream().map(OtherAgentLine::name).toList());
      assertThat(rows).noneMatch(row -> row.contains("not exact"));
    }
  }
}
