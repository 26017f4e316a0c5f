package org.buftrail.it;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Each line that README and documents give to a shell is run as it stands, but for {@code PID}, or
 * is listed here with the reason why it is not.
 */
final class DocumentsIT {
  /** Lines that are not run, and why. */
  private record NotRun(Pattern line, String reason) {
    static NotRun of(String line, String reason) {
      return new NotRun(Pattern.compile(line), reason);
    }

    boolean matches(String text) {
      return line.matcher(text).lookingAt();
    }
  }

  private static final List<NotRun> NOT_RUN =
      List.of(
          NotRun.of("mvn verify", "is the build itself"),
          NotRun.of("mvn install", "InstallIT runs it"),
          NotRun.of("\\./buftrail demo$", "DemoIT runs it"),
          NotRun.of("\\./buftrail bench ", "measures for minutes, with a jar of its own"),
          NotRun.of("otelcol ", "CollectorIT runs it, where it is built"),
          NotRun.of("promtool ", "PrometheusIT runs it, where it is installed"),
          NotRun.of("java .*AOTCache", "needs Java 25, on which ClassDataIT runs it"),
          NotRun.of("docker ", "needs Docker"),
          NotRun.of("kubectl ", "needs a cluster"));

  /** Lines that do not end with 0. */
  private static final Map<String, Integer> EXITS = Map.of("./buftrail attach < /dev/null", 2);

  /** Programs that a machine may lack. */
  private static final List<String> OPTIONAL = List.of("curl");

  private static Playground playground;

  @BeforeAll
  static void layOut(@TempDir Path home) throws Exception {
    playground = new Playground(home);
  }

  @AfterAll
  static void cleanUp() {
    if (playground != null) {
      playground.close();
    }
  }

  static List<Path> documents() throws IOException {
    List<Path> documents = new ArrayList<>();
    for (Path document : ShellLines.documents()) {
      if (ShellLines.in(document).stream().anyMatch(DocumentsIT::isRun)) {
        documents.add(document);
      }
    }
    return documents;
  }

  private static boolean isRun(String line) {
    return NOT_RUN.stream().noneMatch(notRun -> notRun.matches(line));
  }

  @ParameterizedTest
  @MethodSource("documents")
  void eachLineRunsAsItStands(Path document) throws Exception {
    Path directory = playground.directory();
    RunningProgram plain = null;
    try {
      for (String line : ShellLines.in(document)) {
        if (!isRun(line) || isMissing(directory, line)) {
          continue;
        }
        Playground.Result result;
        if (line.matches("\\./buftrail (at|de)tach .*PID.*")) {
          plain = plain == null ? playground.plainService() : plain;
          result = playground.run(directory, line, plain);
        } else {
          result = playground.run(directory, command(line));
        }
        check(line, result);
      }
    } finally {
      if (plain != null) {
        plain.close();
      }
    }
  }

  /** An option of the JVM alone is tried on a service. */
  private static String command(String line) {
    return line.matches("'?-javaagent.*") ? "java " + line + " -jar service.jar" : line;
  }

  private static boolean isMissing(Path directory, String line) throws Exception {
    String program = line.split(" ", 2)[0];
    return OPTIONAL.contains(program)
        && playground.run(directory, "command -v " + program).exit() != 0;
  }

  private static void check(String line, Playground.Result result) {
    String told = line + "\n" + result.output();
    assertThat(result.exit()).as(told).isEqualTo(EXITS.getOrDefault(line, 0));
    assertThat(result.output()).as(told).doesNotContain("tracking is off");
    if (line.contains("-javaagent:")) {
      assertThat(result.output()).as(told).contains("buftrail: following ");
    }
  }

  @Test
  void whatIsListedStandsInADocument() throws IOException {
    List<String> lines = new ArrayList<>();
    for (Path document : ShellLines.documents()) {
      lines.addAll(ShellLines.in(document));
    }
    assertThat(NOT_RUN)
        .allSatisfy(not -> assertThat(lines).as(not.reason()).anyMatch(not::matches));
    assertThat(lines).containsAll(EXITS.keySet());
    assertThat(lines).anyMatch(line -> line.startsWith(OPTIONAL.get(0)));
  }

  @Test
  void findsLinesInEachKindOfBlock() {
    List<String> document =
        List.of(
            "Text:",
            "",
            "    first -a \\",
            "      -b",
            "    second",
            "",
            "A paragraph that is",
            "    indented.",
            "",
            "```bash",
            "third",
            "```",
            "",
            "```text",
            "output",
            "$ fourth",
            "    output",
            "```",
            "",
            "```yaml",
            "key: value",
            "```");
    assertThat(ShellLines.in(document)).containsExactly("first -a -b", "second", "third", "fourth");
  }
}
