package org.buftrail.junit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.buftrail.model.Site;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

final class LeakRunTest {
  private static final String TEST = "com.acme.FooTest.bar()";

  @TempDir Path reports;

  /** The scope of the run that is made. */
  private FakeScope outermost = new FakeScope("the run", now -> List.of());

  /** What that has left open. */
  private List<Leak> ofRun = List.of();

  private int runs;

  /** Of the JVM. */
  private Map<String, String> environment = Map.of();

  private LeakRun run() {
    return run("run " + runs++, "1", Instant.MIN);
  }

  /** The tests of one JVM of a run. */
  private LeakRun run(String run, String jvm, Instant since) {
    return run(run, jvm, since, false);
  }

  private LeakRun run(String run, String jvm, Instant since, boolean writes) {
    outermost = new FakeScope("the run", now -> ofRun);
    ReportParts parts = new ReportParts(reports, run, jvm, since);
    try {
      KnownLeaks known = KnownLeaks.read(reports.resolve("known.txt"), writes);
      return new LeakRun(
          (name, parent, budget) -> outermost, outermost, known, () -> parts, environment);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static FakeScope leaking(int line) {
    Site place = new Site("com.acme.FooTest", "bar" + line / 10, "()V", line, "");
    return new FakeScope(TEST, now -> List.of(FakeScope.leak(TEST, true, 1, 256, place)));
  }

  private static Rules until(Until until) {
    return new Rules(until, 0, true, false);
  }

  @Test
  void whatAThreadMayStillReleaseAfterTheMinuteIsTheClasss() {
    LeakRun run = run();
    FakeScope scope = leaking(10);
    assertThat(run.end(scope, new Rules(Until.TEST, 59_990, true, false), Until.TEST, false))
        .isNotNull();
    assertThat(scope.ended).isEqualTo("closed");
    scope = leaking(10);
    assertThat(run.end(scope, new Rules(Until.TEST, 1_000, true, false), Until.TEST, false))
        .as("others run beside it")
        .isNotNull();
    scope = leaking(10);
    scope.claim();
    assertThat(run.end(scope, new Rules(Until.TEST, 1_000, true, false), Until.TEST, true))
        .isNull();
    assertThat(scope.ended).isEqualTo("handed over");
    scope = leaking(10);
    Rules declared = new Rules(Until.TEST, 0, true, false).withGrace(1_000);
    assertThat(run.end(scope, declared, Until.TEST, true)).isNotNull();
    assertThat(scope.ended).isEqualTo("closed");
  }

  /** What waits share for threads that do so is used up. */
  private LeakRun runLate(Activity work) {
    LeakRun run = run();
    outermost.work = work;
    assertThat(run.end(leaking(10), new Rules(Until.TEST, 90_000, true, false), Until.TEST, true))
        .isNotNull();
    assertThat(outermost.millis).isLessThan(70_000);
    return run;
  }

  /** As a test of TestNG, and each class: what the run has fails nothing, unless that is asked. */
  @ParameterizedTest
  @EnumSource(names = {"ELSEWHERE", "NOW"})
  void whatNobodyIsJudgedForLaterHasAWaitOfItsOwnAfterTheMinute(Activity work) {
    LeakRun run = runLate(work);
    Rules rules = new Rules(Until.TEST, 1_000, true, false);
    for (Until boundary : List.of(Until.TEST, Until.CLASS)) {
      FakeScope leaking = leaking(10);
      leaking.claim();
      long begun = outermost.millis;
      assertThat(run.end(leaking, rules, boundary, false)).isNotNull();
      assertThat(leaking.ended).isEqualTo("closed");
      assertThat(outermost.millis - begun).isBetween(1_000L, 1_200L);
      long released = outermost.millis + 500;
      List<Leak> late = leaking(10).leaks();
      FakeScope clean = new FakeScope(TEST, now -> outermost.millis < released ? late : List.of());
      clean.claim();
      assertThat(run.end(clean, rules, boundary, false)).isNull();
      assertThat(clean.ended).isEqualTo("closed");
    }
  }

  /** Only the test knows how many may be open. */
  @Test
  void aBudgetOfWhatIsLeftOpenIsTheTestsAfterTheMinuteToo() {
    LeakRun run = runLate(Activity.NOW);
    for (Until until : List.of(Until.TEST, Until.CLASS, Until.FOREVER)) {
      FakeScope scope = leaking(10);
      scope.claim();
      Rules rules = new Rules(until, 1_000, true, false).with(Budget.of("", -1, 0));
      long begun = outermost.millis;
      Verdict verdict = run.end(scope, rules, Until.TEST, true);
      assertThat(verdict).isNotNull();
      assertThat(verdict.overruns).hasSize(1);
      assertThat(scope.ended).isEqualTo(until == Until.CLASS ? "handed over" : "closed");
      assertThat(outermost.millis - begun).isBetween(1_000L, 1_100L);
    }
  }

  @Test
  void eachBoundaryEndsItsScopeAsTheRulesSay() {
    LeakRun run = run();
    FakeScope scope = leaking(10);
    assertThat(run.end(scope, until(Until.TEST), Until.TEST, false)).isNotNull();
    assertThat(scope.ended).isEqualTo("closed");
    scope = leaking(10);
    assertThat(run.end(scope, until(Until.CLASS), Until.TEST, false)).isNull();
    assertThat(scope.ended).isEqualTo("handed over");
    scope = leaking(10);
    assertThat(run.end(scope, until(Until.CLASS), Until.CLASS, false)).isNotNull();
    assertThat(scope.ended).isEqualTo("closed");
    scope = leaking(10);
    assertThat(run.end(scope, until(Until.RUN), Until.CLASS, false)).isNull();
    assertThat(scope.ended).isEqualTo("handed over");
    scope = leaking(10);
    assertThat(run.end(scope, until(Until.FOREVER), Until.TEST, false)).isNull();
    assertThat(scope.ended).isEqualTo("closed");
  }

  @Test
  void theReportHasEachLeakUnderItsTest() throws IOException {
    LeakRun run = run();
    run.end(leaking(17), until(Until.TEST), Until.TEST, false);
    run.end(new FakeScope(TEST, now -> List.of()), until(Until.TEST), Until.TEST, false);
    run.report();
    JsonNode json = new ObjectMapper().readTree(reports.resolve("leaks.json").toFile());
    assertThat(json.at("/format").asText()).isEqualTo("buftrail.flows");
    assertThat(json.at("/totals/leaked").asLong()).isEqualTo(1);
    assertThat(json.at("/totals/leakedBytes").asLong()).isEqualTo(256);
    assertThat(json.at("/paths")).hasSize(1);
    assertThat(json.at("/paths/0/hops/1").asText()).isEqualTo("FooTest.bar()");
    assertThat(json.at("/paths/0/hops/2").asText()).isEqualTo("FooTest.bar1");
    assertThat(json.at("/paths/0/sites/2/line").asInt()).isEqualTo(17);
    assertThat(reports.resolve("leaks.html")).exists();
    assertThat(reports.resolve("leaks.md"))
        .hasContent(
            """
            ### Buffer leaks in tests

            1 left open, 256 B, by 1 of 2 tests and classes.

            | by | open | bytes | last seen at | new |
            |---|---:|---:|---|---|
            | com.acme.FooTest.bar() | 1 | 256 B | com.acme.FooTest.bar1(FooTest.java:17) |  |
            """);
  }

  @Test
  void theNextRunSaysWhatIsNew() throws IOException {
    LeakRun first = run();
    first.end(leaking(17), until(Until.TEST), Until.TEST, false);
    first.report();
    LeakRun second = run();
    // A line of the same method, and another method.
    second.end(leaking(18), until(Until.TEST), Until.TEST, false);
    second.end(leaking(25), until(Until.TEST), Until.TEST, false);
    second.report();
    assertThat(Files.readAllLines(reports.resolve("leaks.md")))
        .contains(
            "| com.acme.FooTest.bar() | 1 | 256 B | com.acme.FooTest.bar1(FooTest.java:18) | no |",
            "| com.acme.FooTest.bar() | 1 | 256 B | com.acme.FooTest.bar2(FooTest.java:25) | yes"
                + " |");
    LeakRun clean = run();
    clean.end(new FakeScope(TEST, now -> List.of()), until(Until.TEST), Until.TEST, false);
    clean.report();
    assertThat(reports.resolve("leaks.html")).doesNotExist();
    assertThat(reports.resolve("leaks.md")).content().endsWith("None in 1 tests and classes.\n");
  }

  @Test
  void whatIsNewIsNotSaidWhereHopsWereMadeByOtherRules() throws IOException {
    LeakRun first = run();
    first.end(leaking(17), until(Until.TEST), Until.TEST, false);
    first.report();
    Path json = reports.resolve("leaks.json");
    Files.writeString(
        json, Files.readString(json).replaceFirst("\"hopRules\":\\d+", "\"hopRules\":7"));
    LeakRun second = run();
    second.end(leaking(25), until(Until.TEST), Until.TEST, false);
    second.report();
    assertThat(Files.readAllLines(reports.resolve("leaks.md")))
        .contains(
            "| com.acme.FooTest.bar() | 1 | 256 B | com.acme.FooTest.bar2(FooTest.java:25) |  |");
  }

  @Test
  void severalJvmsMakeOneReport() throws IOException {
    LeakRun before = run("before", "9", Instant.MIN);
    before.end(leaking(17), until(Until.TEST), Until.TEST, false);
    before.report();
    LeakRun first = run("now", "1", Instant.MIN);
    LeakRun second = run("now", "2", Instant.MIN);
    LeakRun clean = run("now", "3", Instant.MIN);
    first.end(leaking(18), until(Until.TEST), Until.TEST, false);
    second.end(leaking(25), until(Until.TEST), Until.TEST, false);
    clean.end(new FakeScope(TEST, now -> List.of()), until(Until.TEST), Until.TEST, false);
    second.report();
    first.report();
    clean.report();
    first.report();
    assertThat(reports.resolve("leaks.md"))
        .hasContent(
            """
            ### Buffer leaks in tests

            2 left open, 512 B, by 2 of 3 tests and classes.

            | by | open | bytes | last seen at | new |
            |---|---:|---:|---|---|
            | com.acme.FooTest.bar() | 1 | 256 B | com.acme.FooTest.bar1(FooTest.java:18) | no |
            | com.acme.FooTest.bar() | 1 | 256 B | com.acme.FooTest.bar2(FooTest.java:25) | yes |
            """);
    JsonNode json = new ObjectMapper().readTree(reports.resolve("leaks.json").toFile());
    assertThat(json.at("/totals/leakedBytes").asLong()).isEqualTo(512);
    assertThat(json.at("/paths")).hasSize(2);
    assertThat(reports.resolve("leaks.html")).exists();
  }

  /** As an IDE's does, which starts one run after the other. */
  @Test
  void whoLivesOnStartsANewRunAfterAPause() throws IOException {
    LeakRun first = run("the IDE's", "1", Instant.now().minusSeconds(60));
    first.end(leaking(17), until(Until.TEST), Until.TEST, false);
    first.report();
    LeakRun atOnce = run("the IDE's", "2", Instant.now().minusSeconds(60));
    atOnce.end(leaking(25), until(Until.TEST), Until.TEST, false);
    atOnce.report();
    assertThat(reports.resolve("leaks.md")).content().contains("2 left open");
    LeakRun later = run("the IDE's", "3", Instant.now().plusSeconds(60));
    later.end(leaking(25), until(Until.TEST), Until.TEST, false);
    later.report();
    assertThat(reports.resolve("leaks.md")).content().contains("1 left open").contains("| no |");
  }

  @Test
  void aDamagedPartIsNamed() throws IOException {
    LeakRun run = run("now", "1", Instant.MIN);
    run.end(leaking(17), until(Until.TEST), Until.TEST, false);
    run.report();
    Path damaged = Files.writeString(reports.resolve("parts/jvm-2leaks.md"), "?\n");
    ReportParts parts = new ReportParts(reports, "now", "1", Instant.MIN);
    assertThatThrownBy(
            () ->
                new LeakReport(
                        List.of(),
                        1,
                        KnownLeaks.read(reports.resolve("none"), false),
                        new StepSummary(reports, Map.of()))
                    .write(parts))
        .isInstanceOf(IOException.class)
        .hasMessage(damaged + ": is no part of a report of tests; delete it");
  }

  /**
   * As a project does that begins with leaks: writes them once, and from then on may only shrink.
   */
  @Test
  void whatIsKnownWarnsAndWhatIsNewFails() throws IOException {
    LeakRun writing = run("writing", "1", Instant.MIN, true);
    Verdict old = writing.end(leaking(17), until(Until.TEST), Until.TEST, false);
    assertThat(old).isNotNull();
    assertThat(writing.failing(old)).isNull();
    writing.report();
    Path file = reports.resolve("known.txt");
    String path = "io.netty.buffer.PooledByteBufAllocator.directBuffer > com.acme.FooTest.bar1";
    assertThat(Files.readAllLines(file))
        .filteredOn(line -> !line.startsWith("#"))
        .containsExactly(path);
    LeakRun later = run("later", "1", Instant.MIN);
    Verdict moved = later.end(leaking(18), until(Until.TEST), Until.TEST, false);
    assertThat(moved).isNotNull();
    assertThat(later.failing(moved)).isNull();
    Verdict fresh = later.end(leaking(25), until(Until.TEST), Until.TEST, false);
    assertThat(fresh).isNotNull();
    assertThat(later.failing(fresh)).isNotNull();
    later.report();
    assertThat(Files.readAllLines(reports.resolve("leaks.md")))
        .anyMatch(row -> row.contains("bar1(FooTest.java:18) | known |"))
        .anyMatch(row -> row.contains("bar2(FooTest.java:25) | yes |"));
    assertThat(reports.resolve("leaks.md")).content().doesNotContain("remove them");
    LeakRun clean = run("clean", "1", Instant.MIN);
    clean.end(new FakeScope(TEST, now -> List.of()), until(Until.TEST), Until.TEST, false);
    clean.report();
    assertThat(reports.resolve("leaks.md"))
        .content()
        .contains("remove them from `" + file + "`:\n\n- `" + path + "`\n");
  }

  /** Every leak that a library keeps to itself has this path. */
  @Test
  void whatALibraryKeptIsKnownForItsClassAlone() throws IOException {
    LeakRun writing = run("writing", "1", Instant.MIN, true);
    writing.end(keptByALibrary("com.acme.FooTest.bar() [1]"), until(Until.TEST), Until.TEST, false);
    writing.end(keptByALibrary("the run"), until(Until.TEST), Until.TEST, false);
    writing.report();
    String allocator = "io.netty.buffer.PooledByteBufAllocator.directBuffer";
    assertThat(Files.readAllLines(reports.resolve("known.txt")))
        .filteredOn(line -> !line.startsWith("#"))
        .containsExactly(allocator + ", in com.acme.FooTest", allocator + ", in the run");
    LeakRun later = run("later", "1", Instant.MIN);
    assertThat(failing(later, "com.acme.FooTest.baz()")).isNull();
    assertThat(failing(later, "com.acme.FooTest")).isNull();
    assertThat(failing(later, "the run")).isNull();
    assertThat(failing(later, "com.acme.BarTest.baz()")).isNotNull();
  }

  private static @Nullable Verdict failing(LeakRun run, String name) {
    Verdict verdict = run.end(keptByALibrary(name), until(Until.TEST), Until.TEST, false);
    assertThat(verdict).isNotNull();
    return run.failing(verdict);
  }

  private static FakeScope keptByALibrary(String name) {
    return new FakeScope(name, now -> List.of(FakeScope.leak(name, true, 1, 256)));
  }

  /** As forks and modules do that share the file, and a person who comments on it. */
  @Test
  void whatIsKnownAlreadyStaysWhenMoreIsWritten() throws IOException {
    Path file = reports.resolve("known.txt");
    Files.writeString(file, "# ours\na.B.c > d.E.f\n# last");
    LeakRun one = run("one", "1", Instant.MIN, true);
    LeakRun other = run("other", "1", Instant.MIN, true);
    one.end(leaking(17), until(Until.TEST), Until.TEST, false);
    one.report();
    other.end(leaking(25), until(Until.TEST), Until.TEST, false);
    other.report();
    String allocator = "io.netty.buffer.PooledByteBufAllocator.directBuffer";
    assertThat(file)
        .hasContent(
            String.join(
                "\n",
                "# ours",
                "a.B.c > d.E.f",
                "# last",
                allocator + " > com.acme.FooTest.bar1",
                allocator + " > com.acme.FooTest.bar2"));
  }

  @Test
  void theSummaryOfAStepOfGithubHasTheTableOfEachModuleOnce() throws IOException {
    Path summary = Files.writeString(reports.resolve("step.md"), "## Tests\n");
    environment =
        Map.of(
            "GITHUB_STEP_SUMMARY",
            summary.toString(),
            "GITHUB_WORKSPACE",
            Path.of("").toAbsolutePath().resolveSibling("").toString());
    String module = Path.of("").toAbsolutePath().getFileName().toString();
    for (String jvm : List.of("1", "2")) {
      LeakRun run = run("one", jvm, Instant.MIN);
      run.end(leaking(17), until(Until.TEST), Until.TEST, false);
      run.report();
      run.report();
    }
    String row = "| com.acme.FooTest.bar() | 1 | 256 B | com.acme.FooTest.bar1(FooTest.java:17) |";
    assertThat(summary)
        .content()
        .startsWith("## Tests\n")
        .containsOnlyOnce(
            "### Buffer leaks in tests of `" + module + "`\n\n2 left open, 512 B, by 2")
        .contains(row + "  |\n" + row + "  |\n");
    LeakRun clean = run("another", "1", Instant.MIN);
    clean.end(new FakeScope(TEST, now -> List.of()), until(Until.TEST), Until.TEST, false);
    clean.report();
    assertThat(summary).hasContent("## Tests\n");
  }

  /** As under Surefire, which has JUnit execute each class by itself in one JVM. */
  @Test
  void aRunFailsOnceWhicheverOfItsExecutionsLeaks() {
    LeakRun run = run();
    assertThat(run.failingOnce()).isNull();
    ofRun = leaking(17).leaks();
    assertThat(run.failingOnce()).isNotNull();
    assertThat(run.failingOnce()).isNull();
  }

  /** As where tests of JUnit 4 have no rule. */
  @Test
  void whereOnlyTheRunIsLookedAtTheReportCountsNoTests() {
    LeakRun clean = run();
    clean.claim();
    clean.report();
    assertThat(reports.resolve("leaks.md")).content().endsWith("\nNone at the end of the run.\n");
    ofRun = leaking(17).leaks();
    LeakRun leaking = run("one", "1", Instant.MIN);
    leaking.claim();
    leaking.report();
    assertThat(reports.resolve("leaks.md"))
        .content()
        .contains("\n1 left open, 256 B, by the run.\n");
    ofRun = List.of();
    LeakRun fork = run("one", "2", Instant.MIN);
    fork.end(new FakeScope(TEST, now -> List.of()), until(Until.TEST), Until.TEST, false);
    fork.report();
    assertThat(reports.resolve("leaks.md")).content().contains(", by 1 of 1 tests and classes.\n");
  }

  @Test
  void aRunWithoutTestsWritesNothing() {
    run().report();
    assertThat(reports).isEmptyDirectory();
  }
}
