package org.buftrail.it;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Beside the agents that people have: whichever comes first, ours counts what the program counts,
 * and the other says of the program what it says without ours.
 */
final class BesideOtherAgentsIT {
  private static final String OURS = "include=org.buftrail.it.programs;report=flows.json";
  private static final String PROGRAM = "org.buftrail.it.programs.Versions";
  private static final String NETTY = "4.2.16.Final";

  /** The versions of Java to run on, where a JVM is at hand. */
  private static final Set<Integer> JAVA = Set.of(11, 17, 25);

  /** What each agent said without ours, by agent, JVM and arguments of the program. */
  private static final ConcurrentHashMap<String, String> ALONE = new ConcurrentHashMap<>();

  private static final BesideDocument DOCUMENT = new BesideDocument();

  @TempDir private Path directory;

  static List<Path> homes() {
    TreeMap<Integer, Path> homes = new TreeMap<>();
    for (Path home : Setting.homes()) {
      int version = new Setting(home, NETTY).javaVersion();
      if (JAVA.contains(version)) {
        homes.putIfAbsent(version, home);
      }
    }
    return List.copyOf(homes.values());
  }

  static Stream<Arguments> onEachJvm() {
    return homes().stream()
        .flatMap(
            home ->
                OtherAgentLine.all().stream()
                    .filter(other -> other.runsOn(new Setting(home, NETTY).javaVersion()))
                    .map(other -> Arguments.of(other, home)));
  }

  @ParameterizedTest
  @MethodSource("onEachJvm")
  void behindAnother(OtherAgentLine other, Path home) throws Exception {
    List<String> line = new ArrayList<>(other.line());
    line.add(ours());
    runBoth(other, home, line, BesideDocument.BEHIND);
  }

  @ParameterizedTest
  @MethodSource("onEachJvm")
  void inFrontOfAnother(OtherAgentLine other, Path home) throws Exception {
    List<String> line = new ArrayList<>(List.of(ours()));
    line.addAll(other.line());
    runBoth(other, home, line, BesideDocument.IN_FRONT);
  }

  private void runBoth(OtherAgentLine other, Path home, List<String> line, String where)
      throws Exception {
    Path place = directory.resolve("both");
    try (RunningProgram program = start(place, home, line, "ledger")) {
      program.awaitEnd();
      assertCounted(program, place);
    }
    assertSame(other, home, place, "ledger");
    DOCUMENT.add(other, where, home);
  }

  @ParameterizedTest
  @MethodSource("onEachJvm")
  void attachedWhereAnotherIs(OtherAgentLine other, Path home) throws Exception {
    Path place = directory.resolve("both");
    try (RunningProgram program = start(place, home, other.line(), "ledger", "ready", "attached")) {
      program.await("ready");
      program.load(OURS);
      program.create("attached");
      program.awaitEnd();
      assertCounted(program, place);
    }
    assertSame(other, home, place, "ledger", "ready", "attached");
    DOCUMENT.add(other, BesideDocument.ATTACHED, home);
  }

  @AfterAll
  static void document() throws IOException {
    DOCUMENT.check();
  }

  private static String ours() {
    return "-javaagent:" + Setting.JAR + "=" + OURS;
  }

  private RunningProgram start(Path place, Path home, List<String> options, String... arguments)
      throws IOException {
    assertThat(place.toFile().mkdirs()).isTrue();
    List<String> line = new ArrayList<>(VersionsIT.QUICK);
    line.addAll(options);
    line.addAll(List.of("-cp", classPath(), PROGRAM));
    line.addAll(List.of(arguments));
    return new RunningProgram(place, home.resolve("bin").resolve("java"), line);
  }

  private static String classPath() {
    return Stream.of(
            Path.of(Setting.property("buftrail.it.ledgers")),
            Setting.versions().resolve("netty-buffer-" + NETTY + ".jar"),
            Setting.versions().resolve("netty-common-" + NETTY + ".jar"))
        .map(Path::toString)
        .collect(Collectors.joining(File.pathSeparator));
  }

  private static void assertCounted(RunningProgram program, Path place) throws IOException {
    FlowsFile flows = FlowsFile.read(place.resolve("flows.json"));
    VersionsIT.assertCounted(flows, place.resolve("ledger"));
    assertThat(flows.tracker().path("unwovenClasses").asInt()).isZero();
    assertThat(program.err())
        .doesNotContain("VerifyError", "LinkageError", "NoClassDefFoundError", "not started");
  }

  /** The other agent says the same about the program as where it is alone. */
  private void assertSame(OtherAgentLine other, Path home, Path place, String... arguments)
      throws Exception {
    String key = other + " " + home + " " + arguments.length;
    String alone = ALONE.get(key);
    if (alone == null) {
      Path own = directory.resolve("alone");
      try (RunningProgram program = start(own, home, other.line(), arguments)) {
        if (arguments.length > 1) {
          program.await(arguments[1]);
          program.create(arguments[2]);
        }
        program.awaitEnd();
      }
      alone = other.said(own);
      ALONE.put(key, alone);
    }
    assertThat(other.said(place)).isEqualTo(alone);
  }
}
