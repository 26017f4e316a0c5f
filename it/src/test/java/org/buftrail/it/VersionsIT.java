package org.buftrail.it;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.buftrail.it.programs.TwoVersions;
import org.buftrail.it.programs.Versions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * A release of each step of Netty 4.1 and 4.2, from the first on: what a program's own ledger says
 * is what is counted, or nothing is followed and every form of report says why.
 */
final class VersionsIT {
  private static final String FIRST = "4.1.40";
  static final List<String> QUICK =
      List.of(
          "-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "-Dio.netty.leakDetection.level=disabled");

  /** Only one in so many versions meets an attach too. */
  private static final int ATTACHED = 3;

  @TempDir private Path directory;

  private static List<String> all() {
    return Jars.in(Setting.versions()).stream()
        .map(jar -> jar.getFileName().toString())
        .filter(name -> name.startsWith("netty-buffer-"))
        .map(name -> name.substring("netty-buffer-".length(), name.length() - ".jar".length()))
        .sorted(Comparator.comparing(VersionsIT::parsed, Arrays::compare))
        .toList();
  }

  private static int[] parsed(String version) {
    return Stream.of(version.split("\\.")).limit(3).mapToInt(Integer::parseInt).toArray();
  }

  private static boolean isOld(String version) {
    return Arrays.compare(parsed(version), parsed(FIRST)) < 0;
  }

  static List<String> counted() {
    return all().stream().filter(version -> !isOld(version)).toList();
  }

  static List<String> refused() {
    return all().stream().filter(VersionsIT::isOld).toList();
  }

  static List<String> attached() {
    List<String> counted = counted();
    return counted.stream().filter(each -> counted.indexOf(each) % ATTACHED == 0).toList();
  }

  @Test
  void thereIsAReleaseOfEachStepAmongThemTheFirstAndTheNewest() {
    assertThat(counted()).hasSizeGreaterThanOrEqualTo(30).contains(FIRST + ".Final");
    assertThat(counted()).containsAll(Setting.nettys());
    assertThat(refused()).contains("4.1.0.Final", "4.1.34.Final", "4.1.39.Final");
  }

  @ParameterizedTest
  @MethodSource("counted")
  void whatTheProgramCountsIsCounted(String version) throws Exception {
    run(version, "include=org.buftrail.it.programs;report=flows.json");
    assertCounted(FlowsFile.read(directory.resolve("flows.json")), directory.resolve("ledger"));
  }

  @ParameterizedTest
  @MethodSource("attached")
  void whatTheProgramCountsAfterAnAttachIsCounted(String version) throws Exception {
    try (RunningProgram program = start(version)) {
      program.await("ready");
      program.load("include=org.buftrail.it.programs;report=flows.json");
      program.create("attached");
      program.awaitEnd();
    }
    assertCounted(FlowsFile.read(directory.resolve("flows.json")), directory.resolve("ledger"));
  }

  @ParameterizedTest
  @MethodSource("refused")
  void anOlderOneIsNotFollowedAndEachFormSaysWhy(String version) throws Exception {
    String formats = "flows.json,flows.txt,flows.html,flows.llm";
    ForkedJvm.Result result = run(version, "include=org.buftrail.it.programs;report=" + formats);
    String why =
        "Netty " + version + " is not followed: the agent needs Netty " + FIRST + " or later";
    assertThat(result.agentLines()).filteredOn(line -> line.contains(why)).hasSize(1);
    FlowsFile flows = FlowsFile.read(directory.resolve("flows.json"));
    assertThat(flows.paths()).isEmpty();
    assertThat(flows.total("allocated")).isZero();
    assertThat(flows.tracker("stopReason")).startsWith(why);
    for (String form : List.of("flows.txt", "flows.html", "flows.llm")) {
      assertThat(directory.resolve(form)).content().contains(why);
    }
  }

  @Test
  void afterAnAttachTheAnswerSaysThatAnOlderOneIsNotFollowed() throws Exception {
    try (RunningProgram program = start("4.1.12.Final")) {
      program.await("ready");
      ForkedJvm.Result answer = program.command("attach", "report=flows.json");
      assertThat(answer.err())
          .contains("Netty 4.1.12.Final is not followed: the agent needs Netty " + FIRST)
          .doesNotContain("following Netty buffers");
      program.create("attached");
      program.awaitEnd();
    }
    FlowsFile flows = FlowsFile.read(directory.resolve("flows.json"));
    assertThat(flows.total("allocated")).isZero();
    assertThat(flows.tracker("stopReason")).contains(FIRST);
  }

  @Test
  void ofTwoInOneJvmTheOneThatIsKnownIsFollowed() throws Exception {
    ForkedJvm.Result result =
        new ForkedJvm(directory)
            .classPath(List.of(Setting.PROGRAMS))
            .agent("include=org.buftrail.it.programs;report=flows.json")
            .run(
                TwoVersions.class,
                join(classPath("4.1.34.Final")),
                "old-ledger",
                join(classPath(FIRST + ".Final")),
                "ledger");
    assertThat(result.exit()).as(result.err()).isZero();
    FlowsFile flows = FlowsFile.read(directory.resolve("flows.json"));
    assertCounted(flows, directory.resolve("ledger"));
    assertThat(flows.tracker("stopReason")).isEmpty();
    assertThat(flows.tracker().path("unwoven").findValuesAsText("reason"))
        .singleElement()
        .asString()
        .startsWith("Netty 4.1.34.Final is not followed");
  }

  private static List<Path> classPath(String version) {
    Path jars = Setting.versions();
    return List.of(
        Setting.PROGRAMS,
        jars.resolve("netty-buffer-" + version + ".jar"),
        jars.resolve("netty-common-" + version + ".jar"));
  }

  private static String join(List<Path> paths) {
    return paths.stream().map(Path::toString).collect(Collectors.joining(File.pathSeparator));
  }

  /** On a JVM that its place in the list chooses. */
  private static Path java(String version) {
    List<Path> homes = Setting.homes();
    return homes.get(all().indexOf(version) % homes.size()).resolve("bin").resolve("java");
  }

  private ForkedJvm.Result run(String version, String options) throws Exception {
    ForkedJvm jvm = new ForkedJvm(directory).java(java(version)).classPath(classPath(version));
    QUICK.forEach(jvm::option);
    ForkedJvm.Result result = jvm.agent(options).run(Versions.class, "ledger");
    assertThat(result.exit()).as(result.err()).isZero();
    assertThat(directory.resolve("ledger")).isNotEmptyFile();
    return result;
  }

  private RunningProgram start(String version) throws IOException {
    List<String> line = new ArrayList<>(QUICK);
    line.addAll(List.of("-cp", join(classPath(version)), Versions.class.getName()));
    line.addAll(List.of("ledger", "ready", "attached"));
    return new RunningProgram(directory, java(version), line);
  }

  static void assertCounted(FlowsFile flows, Path ledger) throws IOException {
    Map<String, String> counts = new TreeMap<>();
    long misused = 0;
    for (String line : Files.readAllLines(ledger)) {
      int end = line.indexOf(' ');
      if (line.startsWith("misused ")) {
        misused = Long.parseLong(line.split(" ", 3)[1]);
      } else {
        counts.put(line.substring(0, end), line.substring(end + 1));
      }
    }
    Map<String, long[]> seen = new TreeMap<>();
    for (FlowsFile.FlowPath path : flows.paths()) {
      long[] more = {path.released(), path.leaked(), path.held(), path.dropped(), path.live()};
      long[] sum = seen.computeIfAbsent(name(path, counts), any -> new long[more.length]);
      Arrays.setAll(sum, i -> sum[i] + more[i]);
    }
    Map<String, String> told = new TreeMap<>();
    seen.forEach((name, sum) -> told.put(name, text(sum)));
    assertThat(told).isEqualTo(counts);
    assertThat(flows.misuses()).isNotEmpty();
    assertThat(flows.misuses().stream().mapToLong(VersionsIT::times).sum()).isEqualTo(misused);
    assertThat(flows.isBalanced()).isTrue();
  }

  private static String text(long[] counts) {
    return Arrays.stream(counts).mapToObj(Long::toString).collect(Collectors.joining(" "));
  }

  private static long times(String misuse) {
    return Long.parseLong(misuse.substring(0, misuse.indexOf(' ')));
  }

  /** The case of a path, or all of it where there is none. */
  private static String name(FlowsFile.FlowPath path, Map<String, String> cases) {
    return Stream.of(path.hops().split(" > "))
        .map(hop -> hop.substring(hop.lastIndexOf('.') + 1))
        .filter(cases::containsKey)
        .findFirst()
        .orElse(path.hops());
  }
}
