package org.buftrail.museum;

import static java.util.stream.Collectors.joining;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.net.ServerSocket;
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

  private static final String PROCESSORS = "-processors";
  private static final long PLANTED = 20;

  /** How many of these may be held by what is still open at the end. */
  private static final long HELD = 4;

  private final ClassPaths classPaths = new ClassPaths(DIRECTORY);
  private final Map<String, String> rows = new TreeMap<>();

  static List<Framework> frameworks() throws IOException {
    return Framework.all().stream().filter(each -> Only.isShown(each.name())).toList();
  }

  @BeforeAll
  void resolve() throws Exception {
    for (Framework framework : frameworks()) {
      if (!framework.quarkus().isEmpty()) {
        continue;
      }
      classPaths.add(framework.name(), framework.dependencies());
      if (!framework.processors().isEmpty()) {
        classPaths.add(framework.name() + PROCESSORS, framework.processors());
      }
    }
    classPaths.resolve();
  }

  @ParameterizedTest
  @MethodSource("frameworks")
  void isFollowed(Framework framework) throws Exception {
    List<String> line = launched(framework);
    JsonNode started = run(framework, line, "started");
    JsonNode attached = run(framework, line, "attached");
    assertThat(leaked(started)).isBetween(PLANTED - HELD, PLANTED);
    assertThat(leaked(attached)).isBetween(PLANTED - HELD, PLANTED);
    assertThat(leaked(run(framework, line, "clean"))).as("false leaks").isZero();
    rows.put(
        framework.name(),
        "| "
            + framework.dependencies().stream()
                .map(
                    each ->
                        each.substring(each.indexOf(':') + 1)
                            .replaceAll(":native", "")
                            .replace(':', ' '))
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
    if (!Only.isEverything()) {
      return;
    }
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

  /** Builds a program, and says what follows the JVM's options. */
  private List<String> launched(Framework framework) throws Exception {
    Path own = DIRECTORY.resolve(framework.name());
    if (!framework.quarkus().isEmpty()) {
      return List.of("-jar", QuarkusBuild.fastJar(framework, own).toString());
    }
    Path classes = Files.createDirectories(own.resolve("classes"));
    List<Path> entries = classPaths.of(framework.name());
    SourceFiles.compile(
        framework.source(),
        Framework.ROOT,
        ClassPaths.join(entries),
        classes,
        processing(framework));
    if (framework.launcher().isEmpty()) {
      entries.add(classes);
      return List.of("-cp", ClassPaths.join(entries), framework.mainClass());
    }
    return List.of(
        "-cp",
        ClassPaths.join(Jars.inOneDirectory(classes, framework.resources(), entries)),
        framework.launcher());
  }

  private String[] processing(Framework framework) throws IOException {
    if (framework.processors().isEmpty()) {
      return new String[] {"-proc:none"};
    }
    List<Path> processors = classPaths.of(framework.name() + PROCESSORS);
    return new String[] {"-processorpath", ClassPaths.join(processors), "-implicit:class"};
  }

  /** One that nobody listens on just now. */
  private static int freePort() throws IOException {
    try (ServerSocket socket = new ServerSocket(0)) {
      return socket.getLocalPort();
    }
  }

  private JsonNode run(Framework framework, List<String> line, String how) throws Exception {
    Path directory = Files.createDirectories(DIRECTORY.resolve(framework.name()).resolve(how));
    int port = freePort();
    String options = "report=" + directory + "/flows.json," + directory + "/flows.txt";
    ForkedJvm jvm =
        new ForkedJvm(directory)
            .withRoom()
            .timeoutSeconds(300)
            .option("-XX:TieredStopAtLevel=1")
            .option("-XX:+UseSerialGC")
            .option("-Dframeworks.port=" + port)
            .option("-Dquarkus.http.port=" + port);
    if (how.equals("attached")) {
      jvm.option("-Dframeworks.attach=" + Setting.property("buftrail.jar"))
          .option("-Dframeworks.options=" + options);
    } else {
      jvm.agent(options).option("-Dframeworks.clean=" + how.equals("clean"));
    }
    ForkedJvm.Result result =
        jvm.runCommand(
            line.get(0), line.get(1), line.subList(2, line.size()).toArray(new String[0]));
    assertThat(result.exit()).as(result.err()).isZero();
    return new ObjectMapper().readTree(directory.resolve("flows.json").toFile());
  }
}
