package org.buftrail.museum;

import static java.util.stream.Collectors.joining;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.buftrail.it.ForkedJvm;
import org.buftrail.it.Setting;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Each framework's program with the agent from the start, with one that is attached to it while it
 * runs, and without the requests that meet the mistake.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
final class FrameworksIT {
  private static final Path DIRECTORY = Path.of("target/frameworks").toAbsolutePath();
  private static final Path PAGE = Path.of("../../docs/evidence/frameworks.md");
  private static final String START = "<!-- table: made by FrameworksIT -->\n";
  private static final String END = "<!-- end of table -->";

  private static final long PLANTED = 20;

  /** How many of these may be held by what is still open at the end. */
  private static final long HELD = 4;

  private final ClassPaths classPaths = new ClassPaths(DIRECTORY);
  private final Map<String, String> rows = new TreeMap<>();

  static List<Framework> frameworks() throws IOException {
    return Framework.all();
  }

  @BeforeAll
  void resolve() throws Exception {
    for (Framework framework : frameworks()) {
      classPaths.add(framework.name(), framework.dependencies());
    }
    classPaths.resolve();
  }

  @ParameterizedTest
  @MethodSource("frameworks")
  void isFollowed(Framework framework) throws Exception {
    compile(framework);
    JsonNode started = run(framework, "started");
    JsonNode attached = run(framework, "attached");
    assertThat(leaked(started)).isBetween(PLANTED - HELD, PLANTED);
    assertThat(leaked(attached)).isBetween(PLANTED - HELD, PLANTED);
    assertThat(leaked(run(framework, "clean"))).as("false leaks").isZero();
    rows.put(
        framework.name(),
        "| "
            + framework.dependencies().stream()
                .map(each -> each.substring(each.indexOf(':') + 1).replace(':', ' '))
                .collect(joining(", "))
            + " | "
            + line(started, framework)
            + " | "
            + line(attached, framework)
            + " |\n");
  }

  private static String line(JsonNode report, Framework framework) {
    switch (Named.byPath(report, framework.culprits())) {
      case FIRST:
        return "the line";
      case ABSENT:
        boolean isNamed = Named.by(report, framework.culprits()) != Named.ABSENT;
        return isNamed ? "as evidence" : "no";
      default:
        return "on the path";
    }
  }

  private static long leaked(JsonNode report) {
    return report.path("totals").path("leaked").asLong();
  }

  @AfterAll
  void page() throws Exception {
    String table =
        "\n| framework | started | attached |\n|---|---|---|\n"
            + String.join("", rows.values())
            + "\n";
    System.out.println(table);
    String page = Files.readString(PAGE);
    int from = page.indexOf(START) + START.length();
    int to = page.indexOf(END);
    if ("update".equals(System.getProperty("buftrail.docs"))) {
      Files.writeString(PAGE, page.substring(0, from) + table + page.substring(to));
    } else {
      assertThat(page.substring(from, to))
          .as("-Dbuftrail.docs=update writes it anew")
          .isEqualTo(table);
    }
  }

  private void compile(Framework framework) throws IOException {
    Path classes = Files.createDirectories(DIRECTORY.resolve(framework.name()).resolve("classes"));
    SourceFiles.compile(
        framework.source(),
        Framework.ROOT,
        ClassPaths.join(classPaths.of(framework.name())),
        classes);
  }

  private JsonNode run(Framework framework, String how) throws Exception {
    Path directory = Files.createDirectories(DIRECTORY.resolve(framework.name()).resolve(how));
    List<Path> entries = classPaths.of(framework.name());
    entries.add(DIRECTORY.resolve(framework.name()).resolve("classes"));
    String options = "report=" + directory + "/flows.json," + directory + "/flows.txt";
    ForkedJvm jvm =
        new ForkedJvm(directory)
            .withRoom()
            .option("-XX:TieredStopAtLevel=1")
            .option("-XX:+UseSerialGC");
    if (how.equals("attached")) {
      jvm.option("-Dframeworks.attach=" + Setting.property("buftrail.jar"))
          .option("-Dframeworks.options=" + options);
    } else {
      jvm.agent(options).option("-Dframeworks.clean=" + how.equals("clean"));
    }
    ForkedJvm.Result result =
        jvm.runCommand("-cp", ClassPaths.join(entries), framework.mainClass());
    assertThat(result.exit()).as(result.err()).isZero();
    return new ObjectMapper().readTree(directory.resolve("flows.json").toFile());
  }
}
