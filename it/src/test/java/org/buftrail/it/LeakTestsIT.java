package org.buftrail.it;

import static java.util.stream.Collectors.joining;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.buftrail.it.leaktests.BodyTests;
import org.buftrail.it.leaktests.BudgetTests;
import org.buftrail.it.leaktests.CleanBeforeAllTests;
import org.buftrail.it.leaktests.ConnectionTests;
import org.buftrail.it.leaktests.CoroutineTests;
import org.buftrail.it.leaktests.FileTests;
import org.buftrail.it.leaktests.InheritedBudgetTests;
import org.buftrail.it.leaktests.LeakingStaticFieldTests;
import org.buftrail.it.leaktests.MistakeTests;
import org.buftrail.it.leaktests.MisuseTests;
import org.buftrail.it.leaktests.OlderPoolsFirstTests;
import org.buftrail.it.leaktests.OlderPoolsSecondTests;
import org.buftrail.it.leaktests.PipelineTests;
import org.buftrail.it.leaktests.RuleAloneTests;
import org.buftrail.it.leaktests.RuleOfClassTests;
import org.buftrail.it.leaktests.RuleTests;
import org.buftrail.it.leaktests.RunJunit4;
import org.buftrail.it.leaktests.RunTestNg;
import org.buftrail.it.leaktests.RunTests;
import org.buftrail.it.leaktests.RunTestsLate;
import org.buftrail.it.leaktests.SkippedTests;
import org.buftrail.it.leaktests.StaticFieldTests;
import org.buftrail.it.leaktests.ThreadsTests;
import org.buftrail.it.leaktests.TidyingTests;
import org.buftrail.it.leaktests.WithoutRuleTests;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What the extension for JUnit says of tests with planted leaks and of their clean twins. */
@Order(2) // takes nearly as long as the first
final class LeakTestsIT {
  private static final Path EXTENSION = Path.of(Setting.property("buftrail.it.junit-extension"));
  private static final String REPETITIONS = Setting.property("leaks.repetitions");

  /** What a server of a class leaks is the class's, unless a test runs alone. */
  private static final Map<String, String> PLANTED =
      Map.of(
          "sequential", "leak.*|alone.*|Leaking(?!SharedServer).*", "parallel", "(leak|Leaking).*");

  /**
   * Tests and classes in one run, planted leaks among them; the classes of RunTests have so many.
   */
  private static final int JUDGED = 76;

  private static final int PLANTED_IN_ONE = 28;

  @TempDir private Path directory;

  /** How one test or class ended. */
  private record Ended(String name, String outcome, String id) {
    static Ended of(String line) {
      String[] parts = line.split("\t", -1);
      // JUnit 6 quotes arguments that are texts.
      return new Ended(parts[0].replace("\"", ""), parts[1], parts[2]);
    }

    /**
     * @param mode {@code sequential} or {@code parallel}
     */
    boolean isPlanted(String mode) {
      return name.matches(PLANTED.get(mode));
    }

    boolean isPlanted() {
      return isPlanted("sequential");
    }

    boolean isRight(String mode) {
      return outcome.equals(isPlanted(mode) ? "BufferLeakError" : "passed");
    }

    boolean isRight() {
      return isRight("sequential");
    }
  }

  private ForkedJvm jvm(Setting setting, String junit, Path... more) {
    Path jars = Path.of(Setting.property("buftrail.it.junit")).resolve(junit);
    List<Path> classPath = new ArrayList<>(List.of(Setting.PROGRAMS));
    classPath.addAll(List.of(more));
    classPath.add(EXTENSION);
    classPath.addAll(Jars.in(jars));
    classPath.addAll(setting.nettyJars());
    return new ForkedJvm(directory)
        .on(setting)
        .classPath(classPath)
        .option("-Dbuftrail.test.grace=150")
        .timeoutSeconds(60 + 20 * Long.parseLong(REPETITIONS));
  }

  private List<Ended> run(ForkedJvm jvm, String mode, Class<?>... tests)
      throws IOException, InterruptedException {
    return run(jvm, REPETITIONS, mode, tests);
  }

  private List<Ended> run(ForkedJvm jvm, String times, String mode, Class<?>... tests)
      throws IOException, InterruptedException {
    List<String> arguments = new ArrayList<>(List.of("results.tsv", times, mode));
    for (Class<?> test : tests) {
      arguments.add(test.getName());
    }
    ForkedJvm.Result result = jvm.run(RunTests.class, arguments.toArray(new String[0]));
    assertThat(result.exit()).as(result.err()).isZero();
    try (var lines = Files.lines(directory.resolve("results.tsv"))) {
      return lines.map(Ended::of).toList();
    }
  }

  private static void assertRight(List<Ended> all, String mode) {
    int repetitions = Integer.parseInt(REPETITIONS);
    assertThat(all).hasSize(JUDGED * repetitions);
    assertThat(all)
        .filteredOn(ended -> ended.isPlanted(mode))
        .hasSize(PLANTED_IN_ONE * repetitions);
    assertThat(all).allMatch(ended -> ended.isRight(mode));
  }

  @EachSetting(java = 17)
  void eachTestIsJudgedRightOneAfterTheOther(Setting setting) throws Exception {
    ForkedJvm jvm = jvm(setting, "5").agent(EXTENSION, "report=flows.json");
    assertRight(run(jvm, "sequential"), "sequential");
  }

  @EachSetting(java = 17)
  void eachTestIsJudgedRightSideBySide(Setting setting) throws Exception {
    ForkedJvm jvm = jvm(setting, "6").agent(EXTENSION, "report=flows.json");
    assertRight(run(jvm, "parallel"), "parallel");
  }

  /** Twenty kinds of pools, loops and timers that an earlier test made, or none. */
  @EachSetting(java = 17, newestNetty = true)
  void whatATestHandsToAnOlderPoolIsTheTests(Setting setting) throws Exception {
    for (String mode : List.of("sequential", "parallel")) {
      ForkedJvm jvm = jvm(setting, "5").agent(EXTENSION, "report=flows.json");
      List<Ended> all =
          run(jvm, "2", mode, OlderPoolsFirstTests.class, OlderPoolsSecondTests.class);
      assertThat(all).filteredOn(ended -> ended.isPlanted(mode)).hasSize(2 * 2 * 21);
      assertThat(all).hasSize(2 * 2 * 42).allMatch(ended -> ended.isRight(mode));
    }
  }

  /** Made in constructors, where no path and no name of a method says so. */
  @EachSetting(java = 17, newestNetty = true, outerJvms = true)
  void whatAStaticFieldKeepsIsNoTestsThatComesFirst(Setting setting) throws Exception {
    for (String mode : List.of("sequential", "parallel")) {
      ForkedJvm jvm = jvm(setting, "5").agent(EXTENSION, "report=flows.json");
      List<Ended> all = run(jvm, "1", mode, StaticFieldTests.class, LeakingStaticFieldTests.class);
      assertThat(all).filteredOn(ended -> ended.isPlanted(mode)).hasSize(1);
      assertThat(all).hasSize(8).allMatch(ended -> ended.isRight(mode));
    }
  }

  /** A coroutine brings its test along to whatever thread runs it, also after a delay. */
  @EachSetting(java = 17, newestNetty = true)
  void whatATestHandsToACoroutineIsTheTests(Setting setting) throws Exception {
    for (String mode : List.of("sequential", "parallel")) {
      ForkedJvm jvm = jvmWithMore(setting).agent(EXTENSION, "report=flows.json");
      List<Ended> all = run(jvm, "2", mode, CoroutineTests.class);
      assertThat(all).filteredOn(ended -> ended.isPlanted(mode)).hasSize(2 * 6);
      assertThat(all).hasSize(2 * 13).allMatch(ended -> ended.isRight(mode));
    }
  }

  @EachSetting(java = 17, newestNetty = true)
  void theAgentComesByItself(Setting setting) throws Exception {
    assertRight(run(jvm(setting, "5"), "parallel"), "parallel");
    JsonNode leaks =
        new ObjectMapper().readTree(directory.resolve("target/buftrail/leaks.json").toFile());
    assertThat(leaks.at("/totals/leaked").asLong()).isPositive();
    assertThat(leaks.at("/paths"))
        .anySatisfy(
            path -> {
              assertThat(path.at("/hops/1").asText()).isEqualTo("OneThreadTests.leakDirect()");
              assertThat(path.at("/hops/2").asText()).isEqualTo("Buffers.direct");
            });
    assertThat(directory.resolve("target/buftrail/flows.json")).exists();
  }

  /** The tests that docs/fix-a-leak.md shows. */
  @Test
  void eachTestOfAMistakeFailsAndThatOfItsFixPasses() throws Exception {
    ForkedJvm jvm = jvm(Setting.newest(), "5").agent(EXTENSION, "report=flows.json");
    List<Ended> all = run(jvm, "1", "sequential", MistakeTests.class);
    assertThat(all).filteredOn(Ended::isPlanted).hasSize(5);
    assertThat(all).allMatch(Ended::isRight);
  }

  @Test
  void aTestWhoseAssumptionIsNotMetStaysSkippedWhateverItHolds() throws Exception {
    ForkedJvm jvm = jvm(Setting.newest(), "5").agent(EXTENSION, "report=flows.json");
    List<Ended> all = run(jvm, "1", "sequential", SkippedTests.class);
    assertThat(all).filteredOn(Ended::isPlanted).hasSize(1).allMatch(Ended::isRight);
    assertThat(all)
        .filteredOn(ended -> ended.name().startsWith("skipped"))
        .hasSize(2)
        .allMatch(ended -> ended.outcome().equals("TestAbortedException"));
  }

  @Test
  void whatATestLeftOpenIsAttachedToItAsJson() throws Exception {
    ForkedJvm jvm = jvm(Setting.newest(), "5").agent(EXTENSION, "report=flows.json");
    List<Ended> all = run(jvm, "1", "sequential", ThreadsTests.class);
    Map<String, String> attached = new HashMap<>();
    for (String line : Files.readAllLines(directory.resolve("results.tsv.attached"))) {
      String[] parts = line.split("\t", 3);
      assertThat(parts[1]).isEqualTo("buftrail.leaks");
      attached.put(parts[0], parts[2]);
    }
    assertThat(attached.keySet())
        .containsExactlyInAnyOrderElementsOf(
            all.stream().filter(Ended::isPlanted).map(Ended::name).toList());
    JsonNode leaks = new ObjectMapper().readTree(attached.get("leakToThreadOfClass()"));
    assertThat(leaks.at("/totals/leaked").asInt()).isOne();
    assertThat(leaks.at("/paths/0/hops/1").asText())
        .isEqualTo("ThreadsTests.leakToThreadOfClass()");
  }

  /** With assertions of JUnit and AssertJ, in helpers, threads and pipelines, and wrapped. */
  @EachSetting(java = 17, newestNetty = true, outerJvms = true)
  void aMisuseFailsATestUnlessItReachedTheTest(Setting setting) throws Exception {
    ForkedJvm jvm = jvmWithMore(setting).agent(EXTENSION, "report=flows.json");
    List<Ended> all = run(jvm, "1", "sequential", MisuseTests.class, PipelineTests.class);
    assertThat(all).filteredOn(Ended::isPlanted).hasSize(8 + 4);
    assertThat(all).filteredOn(ended -> ended.name().startsWith("clean")).hasSize(12 + 10);
    assertThat(all).allMatch(Ended::isRight);
  }

  /** Whatever way a test asserts that something failed; not what comes in another call or task. */
  @EachSetting(java = 17, newestNetty = true, outerJvms = true)
  void whatTidiesUpAfterAnAssertedMisuseIsSeenWithIt(Setting setting) throws Exception {
    ForkedJvm jvm = jvmWithMore(setting).agent(EXTENSION, "report=flows.json");
    List<Ended> all = run(jvm, "1", "sequential", TidyingTests.class);
    assertThat(all).filteredOn(Ended::isPlanted).hasSize(7);
    assertThat(all).filteredOn(ended -> ended.name().startsWith("clean")).hasSize(11);
    String failed = "failedByAnAnswer()";
    assertThat(all).allMatch(ended -> ended.name().equals(failed) || ended.isRight());
    // It fails by its own assertion, and what was behind that is attached to it.
    assertThat(all)
        .filteredOn(ended -> ended.name().equals(failed))
        .extracting(Ended::outcome)
        .containsExactly("AssertionFailedError");
    assertThat(Files.readAllLines(directory.resolve("results.tsv.attached")))
        .anyMatch(line -> line.startsWith(failed + "\tbuftrail.leaks\t"));
  }

  /** To the buffer and to the byte, in each form of a test. */
  @EachSetting(java = 17, newestNetty = true, outerJvms = true)
  void aTestFailsThatGoesPastItsBudget(Setting setting) throws Exception {
    for (String mode : List.of("sequential", "parallel")) {
      ForkedJvm jvm = jvm(setting, "5").agent(EXTENSION, "report=flows.json");
      List<Ended> all = run(jvm, "1", mode, BudgetTests.class, InheritedBudgetTests.class);
      assertThat(all).filteredOn(ended -> ended.name().startsWith("leak")).hasSize(2 * 13);
      assertThat(all).filteredOn(ended -> ended.name().startsWith("clean")).hasSize(2 * 12);
      assertThat(all)
          .allSatisfy(
              ended ->
                  assertThat(ended.outcome())
                      .as(ended.name())
                      .isEqualTo(
                          ended.name().startsWith("wrong")
                              ? "IllegalArgumentException"
                              : ended.name().matches("leak.*|repetition 2|.*\\bleak")
                                  ? "BufferLeakError"
                                  : "passed"));
    }
  }

  @Test
  void misusesAreNotLookedAtWhereTheRunSaysSo() throws Exception {
    ForkedJvm jvm =
        jvmWithMore(Setting.newest())
            .option("-Dbuftrail.test.misuses=false")
            .agent(EXTENSION, "report=flows.json");
    assertThat(run(jvm, "1", "sequential", MisuseTests.class))
        .allMatch(ended -> ended.outcome().equals("passed"));
  }

  @Test
  void aFileThatIsLeftOpenFailsItsTest() throws Exception {
    ForkedJvm jvm =
        jvm(Setting.newest(), "5")
            .agent(
                EXTENSION,
                "report=flows.json;resource=java.io.FileInputStream:open=new,close=close");
    assertThat(run(jvm, "sequential", FileTests.class).stream().limit(3))
        .extracting(ended -> ended.name() + " " + ended.outcome())
        .containsExactlyInAnyOrder(
            "leakFile() BufferLeakError", "cleanFile() passed", "FileTests passed");
  }

  /** With TestNG, OkHttp and an embedded database. */
  private ForkedJvm jvmWithMore(Setting setting) {
    List<Path> more = new ArrayList<>(List.of(Setting.database()));
    more.addAll(Jars.in(Path.of(Setting.property("buftrail.it.junit"), "more")));
    return jvm(setting, "5", more.toArray(new Path[0]));
  }

  @Test
  void aConnectionOrBodyThatIsLeftOpenFailsItsTest() throws Exception {
    String connections =
        "resource=java.sql.Connection:open=java.sql.DriverManager.getConnection,close=close;";
    String bodies =
        "resource=okhttp3.ResponseBody:"
            + "open=okhttp3.Response.body,close=close,close=string,close=bytes";
    ForkedJvm jvm =
        jvmWithMore(Setting.newest()).agent(EXTENSION, "report=flows.json;" + connections + bodies);
    assertThat(run(jvm, "1", "sequential", ConnectionTests.class, BodyTests.class))
        .extracting(ended -> ended.name() + " " + ended.outcome())
        .containsExactlyInAnyOrder(
            "leakConnection() BufferLeakError",
            "cleanConnection() passed",
            "ConnectionTests passed",
            "leakBody() BufferLeakError",
            "cleanClosedBody() passed",
            "cleanReadBody() passed",
            "BodyTests passed");
  }

  @EachSetting(java = 17, newestNetty = true, outerJvms = true)
  void aTestOfTestNgThatLeaksFails(Setting setting) throws Exception {
    ForkedJvm jvm = jvmWithMore(setting).agent(EXTENSION, "report=flows.json");
    ForkedJvm.Result result = jvm.run(RunTestNg.class, "results.tsv");
    assertThat(result.exit()).as(result.err()).isZero();
    assertThat(Files.readAllLines(directory.resolve("results.tsv")))
        .containsExactlyInAnyOrder("leakDirect\tBufferLeakError\t", "cleanDirect\tpassed\t");
  }

  /** No other JUnit is there. */
  @EachSetting(java = 17, newestNetty = true, outerJvms = true)
  void aTestOfJUnit4WithTheRuleThatLeaksFails(Setting setting) throws Exception {
    List<Path> classPath = new ArrayList<>(List.of(Setting.PROGRAMS, EXTENSION));
    for (Path jar : Jars.in(Path.of(Setting.property("buftrail.it.junit"), "4"))) {
      if (!jar.toString().contains("vintage")) {
        classPath.add(jar);
      }
    }
    classPath.addAll(setting.nettyJars());
    String[] arguments = {
      "results.tsv",
      RuleTests.class.getName(),
      RuleOfClassTests.class.getName(),
      RuleAloneTests.class.getName()
    };
    ForkedJvm.Result result =
        new ForkedJvm(directory)
            .on(setting)
            .classPath(classPath)
            .option("-Dbuftrail.test.grace=150")
            .run(RunJunit4.class, arguments);
    assertThat(result.exit()).as(result.err()).isZero();
    assertThat(Files.readAllLines(directory.resolve("results.tsv")))
        .containsExactlyInAnyOrder(
            "leakDirect\tBufferLeakError\t",
            "leakOnCommonPool\tBufferLeakError\t",
            "leakAndThrow\tBufferLeakError\t",
            "leakSwallowedAfterAnAssertedOne\tBufferLeakError\t",
            "skipped\tskipped\t",
            "RuleOfClassTests\tBufferLeakError\t");
    assertThat(directory.resolve("target/buftrail/leaks.md"))
        .content()
        .contains("| org.buftrail.it.leaktests.RuleTests.leakDirect() | 1 |")
        .contains("| the run | 1 |");
  }

  /** Under JUnit's platform, which asks no extension for tests of JUnit 4. */
  @EachSetting(java = 17, newestNetty = true, outerJvms = true)
  void whatARunOfJUnit4LeavesOpenFailsItWhereThatIsAskedFor(Setting setting) throws Exception {
    Path[] jars = Jars.in(Path.of(Setting.property("buftrail.it.junit"), "4")).toArray(new Path[0]);
    String[] arguments = {"results.tsv", "1", "sequential", WithoutRuleTests.class.getName()};
    ForkedJvm.Result told = jvm(setting, "5", jars).run(RunTests.class, arguments);
    assertThat(told.exit()).as(told.err()).isZero();
    ForkedJvm.Result failed =
        jvm(setting, "5", jars).option("-Dbuftrail.test.run=fail").run(RunTests.class, arguments);
    assertThat(failed.exit()).as(failed.err()).isNotZero();
    assertThat(failed.err())
        .contains("BufferLeakError: the run left 1 buffer open")
        .contains("at org.buftrail.it.leaktests.WithoutRuleTests.leakDirect(")
        .contains(", by the run; see ");
  }

  /** JUnit 5 is asked first, and has left nothing open. */
  @EachSetting(java = 17, newestNetty = true, outerJvms = true)
  void whatARunOfJUnit4LeavesOpenFailsItAfterCleanTestsOfJUnit5(Setting setting) throws Exception {
    Path[] jars = Jars.in(Path.of(Setting.property("buftrail.it.junit"), "5")).toArray(new Path[0]);
    ForkedJvm.Result failed =
        jvm(setting, "4", jars)
            .option("-Dbuftrail.test.run=fail")
            .run(
                RunTests.class,
                "results.tsv",
                "1",
                "sequential",
                CleanBeforeAllTests.class.getName(),
                WithoutRuleTests.class.getName());
    assertThat(failed.exit()).as(failed.err()).isNotZero();
    assertThat(failed.err()).contains("BufferLeakError: the run left 1 buffer open");
    assertThat(Files.readAllLines(directory.resolve("results.tsv")))
        .isNotEmpty()
        .allMatch(line -> line.contains("\tpassed\t"))
        .anyMatch(line -> line.contains("[engine:junit-jupiter]"))
        .last()
        .asString()
        .contains("[engine:junit-vintage]");
  }

  /** The agent attaches itself, and the map serves. */
  @EachSetting(java = 17, newestNetty = true, outerJvms = true)
  void whereNettyWasLoadedFirstEachTestIsJudgedRightToo(Setting setting) throws Exception {
    ForkedJvm jvm = jvm(setting, "5");
    ForkedJvm.Result result = jvm.run(RunTestsLate.class, "results.tsv", "1", "sequential");
    assertThat(result.exit()).as(result.err()).isZero();
    assertThat(result.err()).contains("Netty was loaded before the agent");
    try (var lines = Files.lines(directory.resolve("results.tsv"))) {
      List<Ended> all = lines.map(Ended::of).toList();
      assertThat(all).hasSize(JUDGED);
      assertThat(all).allMatch(Ended::isRight);
    }
  }

  @Test
  void switchedOffNothingIsLoadedAndNothingFails() throws Exception {
    ForkedJvm jvm =
        jvm(Setting.newest(), "5").option("-Dbuftrail.test=off").option("-Xlog:class+load");
    assertThat(run(jvm, "parallel")).allMatch(ended -> ended.outcome().equals("passed"));
    assertThat(Files.readString(directory.resolve("stdout.txt")))
        .contains("org.buftrail.junit.TestAgent")
        .doesNotContain("org.buftrail.flow")
        .doesNotContain("org.buftrail.model")
        .doesNotContain("org.buftrail.boot");
    assertThat(directory.resolve("target")).doesNotExist();
  }

  /** Writes a table of what others find in the same tests, for docs/in-tests.md. */
  @Test
  @Tag("peers")
  void othersOnTheSameTests() throws Exception {
    String paranoid = "-Dio.netty.leakDetection.level=paranoid";
    String presence = "-Dio.netty.customResourceLeakDetector=io.netty.util.LeakPresenceDetector";
    List<String> rows = new ArrayList<>();
    rows.add("| | tests run | found | missed | blamed wrongly | not run | seconds |");
    for (String mode : List.of("sequential", "parallel")) {
      rows.add(row("buftrail-junit", mode, jvm(Setting.newest(), "5").agent(EXTENSION, "")));
      rows.add(
          row(
              "netty-leak-detector-junit-extension",
              mode,
              peer("io.github.nettyplus.leakdetector.junit.NettyLeakDetectorExtension", paranoid)));
    }
    // Side by side it does not end.
    String netty = "io.netty.util.test.LeakPresenceExtension";
    rows.add(row("LeakPresenceExtension", "sequential", peer(netty, presence)));
    Files.write(Path.of(Setting.property("buftrail.it.junit"), "peers.txt"), rows);
  }

  private ForkedJvm peer(String extension, String option) throws IOException {
    Path services = directory.resolve("services");
    Path file = services.resolve("META-INF/services/org.junit.jupiter.api.extension.Extension");
    Files.createDirectories(file.getParent());
    Files.writeString(file, extension);
    List<Path> more = new ArrayList<>(List.of(services));
    more.addAll(Jars.in(Path.of(Setting.property("buftrail.it.junit"), "peers")));
    return jvm(Setting.newest(), "5", more.toArray(new Path[0]))
        .option("-Dbuftrail.test=off")
        .option(option);
  }

  private String row(String name, String mode, ForkedJvm jvm) throws Exception {
    long start = System.nanoTime();
    List<Ended> all = run(jvm, "1", mode);
    double seconds = (System.nanoTime() - start) / 1e9;
    long found =
        all.stream().filter(e -> e.isPlanted(mode) && !e.outcome().equals("passed")).count();
    long blamed =
        all.stream().filter(e -> !e.isPlanted(mode) && !e.outcome().equals("passed")).count();
    int notRun = JUDGED - all.size();
    return List.of(
            name, mode, found, PLANTED_IN_ONE - found, blamed, notRun, "%.1f".formatted(seconds))
        .stream()
        .map(String::valueOf)
        .collect(joining(" | ", "| ", " |"));
  }
}
