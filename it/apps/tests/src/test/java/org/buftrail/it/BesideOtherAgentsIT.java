package org.buftrail.it;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Beside the agents that people have: whichever comes first, ours counts what the program counts,
 * and neither keeps the other from starting.
 */
final class BesideOtherAgentsIT {
  private static final String OURS = "include=org.buftrail.it.programs;report=flows.json";
  private static final String PROGRAM = "org.buftrail.it.programs.Versions";
  private static final String NETTY = "4.2.16.Final";

  /** Nobody listens there. */
  private static final String NOWHERE = "http://127.0.0.1:9";

  @TempDir private Path directory;

  /**
   * Another agent.
   *
   * @param jar in the directory of agents, with its argument
   * @param options of the JVM
   */
  private record Other(String jar, List<String> options) {
    static Other of(String jar, String... options) {
      return new Other(jar, List.of(options));
    }

    List<String> line() {
      List<String> line = new ArrayList<>();
      line.add("-javaagent:" + Path.of(Setting.property("buftrail.it.agents")).resolve(jar));
      line.addAll(options);
      return line;
    }

    @Override
    public String toString() {
      return jar;
    }
  }

  static List<Other> others() {
    String datadog = "-Ddd.trace.agent.url=" + NOWHERE;
    return List.of(
        Other.of("datadog-first.jar", datadog),
        Other.of("datadog-middle.jar", datadog),
        Other.of("datadog.jar", datadog),
        Other.of("datadog.jar", datadog, "-Ddd.profiling.enabled=true"),
        Other.of(
            "opentelemetry-javaagent.jar",
            "-Dotel.traces.exporter=none",
            "-Dotel.metrics.exporter=none",
            "-Dotel.logs.exporter=none"),
        Other.of("elastic-apm-agent.jar", "-Delastic.apm.server_url=" + NOWHERE),
        Other.of(
            "pyroscope.jar",
            "-Dpyroscope.application.name=x",
            "-Dpyroscope.server.address=" + NOWHERE),
        Other.of("jolokia-agent-jvm.jar=port=0,host=127.0.0.1"),
        Other.of(
            "blockhound.jar",
            "-XX:+AllowRedefinitionToAddDeleteMethods",
            "-Dversions.mayBlock=true"),
        Other.of("reactor-tools.jar"),
        Other.of("aspectjweaver.jar"),
        Other.of("org.jacoco.agent.jar=destfile=jacoco.exec"));
  }

  /** Those that are in front are met by the newest JVM too. */
  static Stream<Arguments> onEachJvm() {
    List<Path> homes = Setting.homes();
    return Stream.of(homes.get(0), homes.get(homes.size() - 1))
        .distinct()
        .flatMap(home -> others().stream().map(other -> Arguments.of(other, home)));
  }

  @ParameterizedTest
  @MethodSource("onEachJvm")
  void behindAnother(Other other, Path home) throws Exception {
    List<String> line = new ArrayList<>(other.line());
    line.add(ours());
    try (RunningProgram program = start(home, line, "ledger")) {
      program.awaitEnd();
      assertBoth(program, other);
    }
  }

  @ParameterizedTest
  @MethodSource("others")
  void inFrontOfAnother(Other other) throws Exception {
    List<String> line = new ArrayList<>(List.of(ours()));
    line.addAll(other.line());
    try (RunningProgram program = start(Setting.OWN_JAVA, line, "ledger")) {
      program.awaitEnd();
      assertBoth(program, other);
    }
  }

  @ParameterizedTest
  @MethodSource("others")
  void attachedWhereAnotherIs(Other other) throws Exception {
    try (RunningProgram program =
        start(Setting.OWN_JAVA, other.line(), "ledger", "ready", "attached")) {
      program.await("ready");
      program.load(OURS);
      program.create("attached");
      program.awaitEnd();
      assertBoth(program, other);
    }
  }

  private static String ours() {
    return "-javaagent:" + Setting.JAR + "=" + OURS;
  }

  private RunningProgram start(Path home, List<String> options, String... arguments)
      throws Exception {
    List<String> line = new ArrayList<>(VersionsIT.QUICK);
    line.addAll(options);
    line.addAll(List.of("-cp", classPath(), PROGRAM));
    line.addAll(List.of(arguments));
    return new RunningProgram(directory, home.resolve("bin").resolve("java"), line);
  }

  private static String classPath() {
    return Stream.of(
            Path.of(Setting.property("buftrail.it.ledgers")),
            Setting.versions().resolve("netty-buffer-" + NETTY + ".jar"),
            Setting.versions().resolve("netty-common-" + NETTY + ".jar"))
        .map(Path::toString)
        .collect(Collectors.joining(File.pathSeparator));
  }

  private void assertBoth(RunningProgram program, Other other) throws Exception {
    FlowsFile flows = FlowsFile.read(directory.resolve("flows.json"));
    VersionsIT.assertCounted(flows, directory.resolve("ledger"));
    assertThat(flows.tracker().path("unwovenClasses").asInt()).isZero();
    assertThat(program.err())
        .doesNotContain("VerifyError", "LinkageError", "NoClassDefFoundError", "not started");
    if (other.jar().contains("jacoco")) {
      assertThat(Files.size(directory.resolve("jacoco.exec"))).isPositive();
    }
  }
}
