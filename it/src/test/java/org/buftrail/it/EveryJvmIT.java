package org.buftrail.it;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.buftrail.it.programs.Silent;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Given to every JVM of a container by {@code JAVA_TOOL_OPTIONS}: the service's and all others. */
final class EveryJvmIT {
  private static final String ALL =
      "report=flows.json;http=0;snapshotDir=snapshots;every=1s;alert=leaked>0;metricsEvery=1s";

  private static final String OLD = "the report of the service";

  @TempDir private Path directory;

  static List<Path> homes() {
    return Setting.homes();
  }

  private ForkedJvm given(Path home, String options) {
    return new ForkedJvm(directory)
        .java(home.resolve("bin").resolve("java"))
        .environment("JAVA_TOOL_OPTIONS", "-javaagent:" + Setting.JAR + "=" + options);
  }

  /** Nothing but what the test itself left. */
  private void assertNothingWritten(ForkedJvm.Result result, String... own) throws IOException {
    assertThat(result.exit()).as(result.err()).isZero();
    assertThat(result.agentLines()).isEmpty();
    List<String> expected = new ArrayList<>(List.of("stdout.txt", "stderr.txt"));
    expected.addAll(List.of(own));
    try (Stream<Path> files = Files.list(directory)) {
      assertThat(files.map(file -> file.getFileName().toString()))
          .containsExactlyInAnyOrderElementsOf(expected);
    }
  }

  @ParameterizedTest
  @MethodSource("homes")
  void aToolOfTheJdkHearsNothing(Path home) throws Exception {
    Files.writeString(directory.resolve("flows.json"), OLD);
    for (String tool : List.of("jdk.jcmd/sun.tools.jps.Jps", "jdk.jcmd/sun.tools.jcmd.JCmd")) {
      ForkedJvm.Result result = given(home, ALL).runCommand("-m", tool, "-h");
      assertNothingWritten(result, "flows.json");
    }
    assertThat(directory.resolve("flows.json")).hasContent(OLD);
  }

  @Test
  void theCommandLineHearsNothingOfItsOwnAgent() throws Exception {
    assertNothingWritten(given(Setting.OWN_JAVA, ALL).runJar("--version"));
  }

  @Test
  void anEmptyReportReplacesNoneThatIsNot() throws Exception {
    Path report = Files.writeString(directory.resolve("flows.json"), OLD);
    ForkedJvm.Result result = given(Setting.OWN_JAVA, "report=flows.json").run(Silent.class);
    assertThat(result.agentLines())
        .contains(
            "buftrail: nothing was followed; the report that is in "
                + report.toRealPath()
                + " stays");
    assertThat(report).hasContent(OLD);
    Files.writeString(report, "");
    given(Setting.OWN_JAVA, "report=flows.json").run(Silent.class);
    FlowsFile.read(report);
  }

  @ParameterizedTest
  @MethodSource("homes")
  void filesMayBeNamedByProcessTimeAndHost(Path home) throws Exception {
    ForkedJvm.Result result =
        given(home, "report=a-%p-%t-%hn.json;snapshotDir=dir-%p").run(Silent.class);
    assertThat(result.exit()).as(result.err()).isZero();
    try (Stream<Path> files = Files.list(directory)) {
      List<String> names = files.map(file -> file.getFileName().toString()).toList();
      String report = names.stream().filter(name -> name.startsWith("a-")).findAny().orElseThrow();
      assertThat(report).matches("a-\\d+-\\d{4}-\\d\\d-\\d\\d_\\d\\d-\\d\\d-\\d\\d-[^%]+\\.json");
      assertThat(names).contains("dir-" + report.split("-", -1)[1]);
    }
  }
}
