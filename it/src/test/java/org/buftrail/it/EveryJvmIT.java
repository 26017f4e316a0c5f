package org.buftrail.it;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.buftrail.it.programs.Leaker;
import org.buftrail.it.programs.Plain;
import org.buftrail.it.programs.Silent;
import org.buftrail.it.programs.Standing;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Given to every JVM of a container by {@code JAVA_TOOL_OPTIONS}: the service's and all others. */
final class EveryJvmIT {
  private static final String ALL =
      "report=flows.json;http=0;snapshotDir=snapshots;every=1s;alert=leaked>0;metricsEvery=1s";

  /** The least that the agent can be: its entry, and what looks around and waits. */
  private static final int MAX_CLASSES = 8;

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
  void aJvmWithoutNettyHearsNothingAndLoadsNextToNothing(Path home) throws Exception {
    ForkedJvm.Result result =
        given(home, ALL)
            .classPath(List.of(Setting.PROGRAMS))
            .option("-Xlog:class+load:file=classes.txt")
            .run(Plain.class);
    assertThat(result.out()).isEqualTo("done");
    assertNothingWritten(result, "classes.txt");
    try (Stream<String> loaded = Files.lines(directory.resolve("classes.txt"))) {
      assertThat(
              loaded.filter(line -> line.contains(" org.buftrail.") && !line.contains("programs.")))
          .hasSizeBetween(1, MAX_CLASSES);
    }
  }

  @ParameterizedTest
  @MethodSource("homes")
  void aJvmThatCouldLoadNettyAndDoesNotHearsNothing(Path home) throws Exception {
    ForkedJvm.Result result = given(home, ALL).run(Plain.class);
    assertThat(result.out()).isIn("done", "buftrail-sweeper done");
    assertNothingWritten(result);
  }

  @ParameterizedTest
  @MethodSource("homes")
  void aToolOfTheJdkHearsNothing(Path home) throws Exception {
    Files.writeString(directory.resolve("flows.json"), OLD);
    for (String tool : List.of("jdk.jcmd/sun.tools.jps.Jps", "jdk.jcmd/sun.tools.jcmd.JCmd")) {
      // Whatever lies on its class path.
      ForkedJvm.Result result =
          given(home, ALL + ";resource=java.io.FileInputStream:open=new,close=close")
              .option("-Dbuftrail.libraries=arrow")
              .runCommand("-m", tool, "-h");
      assertNothingWritten(result, "flows.json");
    }
    assertThat(directory.resolve("flows.json")).hasContent(OLD);
  }

  @Test
  void theCommandLineHearsNothingOfItsOwnAgent() throws Exception {
    ForkedJvm.Result result = given(Setting.OWN_JAVA, ALL).runJar("--version");
    assertNothingWritten(result);
  }

  @ParameterizedTest
  @MethodSource("homes")
  void nettyThatNoClassPathShowsIsFollowedFromItsFirstClassOn(Path home) throws Exception {
    ForkedJvm.Result result =
        given(home, FlowCases.INCLUDE + ";report=flows.json")
            .classPath(List.of(copyOf(Plain.class)))
            .run(Plain.class, applicationPath(), Leaker.class.getName(), "1");
    assertThat(result.exit()).as(result.err()).isZero();
    FlowsFile flows = FlowsFile.read(directory.resolve("flows.json"));
    assertThat(flows.summaries())
        .containsExactly(
            "PooledByteBufAllocator.directBuffer > Leaker.handle > Leaker.check"
                + " > Leaker.forget 0/5/0",
            "PooledByteBufAllocator.directBuffer > Leaker.handle > Leaker.check > Leaker.handle"
                + " > ByteBuf.release 3/0/0");
    assertThat(flows.isBalanced()).isTrue();
    assertThat(flows.tracker().path("unwovenClasses").asInt()).isZero();
  }

  @ParameterizedTest
  @MethodSource("homes")
  void threadsThatMeetTheFirstClassAtOnceAreAllFollowed(Path home) throws Exception {
    ForkedJvm.Result result =
        given(home, FlowCases.INCLUDE + ";report=flows.json")
            .classPath(List.of(copyOf(Plain.class)))
            .run(Plain.class, applicationPath(), Leaker.class.getName(), "6");
    assertThat(result.exit()).as(result.err()).isZero();
    FlowsFile flows = FlowsFile.read(directory.resolve("flows.json"));
    assertThat(flows.total("released")).isEqualTo(6 * 3);
    assertThat(flows.total("leaked")).isEqualTo(6 * 5);
    assertThat(flows.isBalanced()).isTrue();
  }

  private static String applicationPath() {
    return Stream.concat(Stream.of(Setting.PROGRAMS), Setting.newest().nettyJars().stream())
        .map(Path::toString)
        .collect(Collectors.joining(File.pathSeparator));
  }

  /** In a directory where there is no Netty to be seen. */
  private Path copyOf(Class<?>... programs) throws IOException {
    Path classes = directory.resolve("container");
    for (Class<?> program : programs) {
      String file = program.getName().replace('.', File.separatorChar) + ".class";
      Files.createDirectories(classes.resolve(file).getParent());
      Files.copy(Setting.PROGRAMS.resolve(file), classes.resolve(file));
    }
    return classes;
  }

  @Test
  void anAttachWakesWhatWaits() throws Exception {
    List<String> line = List.of("-cp", Setting.PROGRAMS.toString(), Standing.class.getName());
    Map<String, String> environment =
        Map.of("JAVA_TOOL_OPTIONS", "-javaagent:" + Setting.JAR + "=report=flows.json");
    Path java = Setting.OWN_JAVA.resolve("bin").resolve("java");
    try (RunningProgram program = new RunningProgram(directory, java, line, environment)) {
      program.await("standing");
      assertThat(program.err()).doesNotContain("buftrail: ");
      program.load("");
      program.awaitLine("buftrail: tracking is on already; detach first to change its options");
      assertThat(program.err()).contains("buftrail: following Netty buffers");
      program.stop();
    }
    assertThat(FlowsFile.read(directory.resolve("flows.json")).total("allocated")).isZero();
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
