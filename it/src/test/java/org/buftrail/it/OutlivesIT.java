package org.buftrail.it;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import org.buftrail.it.programs.Outlives;
import org.buftrail.it.programs.RoundsWriter;
import org.junit.jupiter.api.io.TempDir;

/**
 * What outlives a detach. {@code StaticStateTest} lists what is static; this is what a program can
 * see of it, and that none of it acts in an attachment with other options.
 */
final class OutlivesIT {
  private static final String PROGRAM = Outlives.class.getName();
  private static final String CONNECTION = PROGRAM + "$Connection";
  private static final String FILE = "java.io.FileInputStream";
  private static final String POOL =
      (";resource=" + CONNECTION + ":open=" + PROGRAM + "$Pool.take,close=")
          + (PROGRAM + "$Pool.give");
  private static final String FIRST =
      FlowCases.INCLUDE
          + (POOL + ";resource=" + FILE + ":open=new,close=close")
          + (";carrier=" + PROGRAM + "$Crate.body")
          + (";metricsHandlers=" + RoundsWriter.class.getName() + ";metricsEvery=1s")
          + ";snapshotDir=snapshots;http=0;report=flows.json";

  /** Each of them would be seen in the counts of the next attachment. */
  private static final String SHORT =
      "include=none;sample=7;trackDirectOnly=true;maxDepth=2;duration=10m;report=short.json";

  private static final String LAST = FlowCases.INCLUDE + POOL + ",once=true;report=flows.json";

  /** The threads and the bean answer, with what was followed until then. */
  private static final List<String> LEFT =
      List.of(
          "alarms 1",
          "bean org.buftrail:type=FlowTracker",
          "property buftrail.sampel",
          "thread buftrail-http",
          "thread buftrail-metrics",
          "thread buftrail-sweeper",
          "thread buftrail-watch");

  @TempDir private Path directory;

  private int done;

  @EachSetting(newestNetty = true)
  void nothingOfAnAttachmentActsAfterIt(Setting setting) throws Exception {
    List<String> line = List.of("-cp", setting.classPath(), "-Dbuftrail.sampel=7", PROGRAM);
    try (RunningProgram program = new RunningProgram(directory, setting.java(), line)) {
      program.await("ready");
      say(program, "work");
      List<String> before = ask(program, "before");

      program.load(FIRST);
      // From the metrics handler.
      program.await("leaked");
      say(program, "work");
      assertThat(indexes(ask(program, "during"))).doesNotContainAnyElementsOf(indexes(before));
      FlowsFile first = program.dump();
      assertThat(closed(first, CONNECTION)).isEqualTo(Outlives.TIMES);
      assertThat(handled(first)).isEqualTo(Outlives.TIMES);
      // The JVM opens some itself.
      assertThat(closed(first, FILE)).isBetween(0L + Outlives.TIMES, Outlives.TIMES + 100L);
      say(program, "take");
      program.load("detach");

      FlowsFile detached = assertNothingActs(program, before);

      program.load(FlowCases.INCLUDE + POOL + ";report=flows.json");
      FlowsFile second = assertEachIsCountedOnce(program, detached);
      say(program, "take");
      program.load("detach");
      program.load(SHORT);
      assertThat(ask(program, "short")).contains("thread buftrail-timer");
      program.load("detach");

      awaitThreads(program);

      program.load(LAST);
      say(program, "give");
      FlowsFile third = assertEachIsCountedOnce(program, second);
      assertThat(third.misuses()).isEmpty();
      program.endInput();
      assertThat(directory.resolve("short.json")).doesNotExist();
      assertThat(program.err().lines())
          .filteredOn(each -> each.contains("buftrail.sampel"))
          .hasSize(4)
          .allMatch(each -> each.endsWith("(did you mean 'buftrail.sample'?)"));
    }
  }

  /** What is left is what answers questions, and what the program does meanwhile counts nowhere. */
  private FlowsFile assertNothingActs(RunningProgram program, List<String> before)
      throws Exception {
    FlowsFile detached = program.dump();
    say(program, "give");
    say(program, "work");
    List<String> after = ask(program, "after");
    assertThat(after).containsAll(LEFT);
    // What an answer to a command leaves goes by itself a moment later.
    assertThat(after)
        .filteredOn(each -> !LEFT.contains(each) && !each.matches(".* buftrail.reply"))
        .isEqualTo(indexes(before));
    FlowsFile later = program.dump();
    assertThat(later.summaries()).isEqualTo(detached.summaries());
    assertThat(later.total("live")).isZero();
    return later;
  }

  /** The connection that was out over a detach is the one that the pool lends now. */
  private FlowsFile assertEachIsCountedOnce(RunningProgram program, FlowsFile before)
      throws Exception {
    say(program, "work");
    FlowsFile after = program.dump();
    assertThat(closed(after, CONNECTION) - closed(before, CONNECTION)).isEqualTo(Outlives.TIMES);
    assertThat(closed(after, "") - closed(before, "")).as("buffers").isEqualTo(Outlives.TIMES);
    assertThat(closed(after, FILE)).as("resource=").isEqualTo(closed(before, FILE));
    assertThat(handled(after)).as("carrier=").isEqualTo(handled(before));
    assertThat(after.total("live")).isZero();
    assertThat(after.isBalanced()).isTrue();
    return after;
  }

  /** A thread that is asked to end needs a moment. */
  private void awaitThreads(RunningProgram program) throws Exception {
    for (int i = 0; ; i++) {
      List<String> threads = lines(ask(program, "threads" + i), "thread");
      if (threads.equals(lines(LEFT, "thread"))) {
        return;
      }
      assertThat(i).as("%s", threads).isLessThan(600);
    }
  }

  private List<String> ask(RunningProgram program, String question) throws Exception {
    say(program, question);
    return program.read(question).lines().toList();
  }

  private void say(RunningProgram program, String line) throws Exception {
    program.send(line);
    program.await("done" + done++);
  }

  /** Lines that the shape of woven methods changes. */
  private static List<String> indexes(List<String> lines) {
    return lines(lines, "index");
  }

  private static List<String> lines(List<String> all, String start) {
    return all.stream().filter(line -> line.startsWith(start)).toList();
  }

  private static long closed(FlowsFile flows, String type) {
    return flows.paths().stream()
        .filter(path -> path.resource().equals(type))
        .mapToLong(FlowsFile.FlowPath::released)
        .sum();
  }

  /** How many buffers the method had that takes the carrier. */
  private static long handled(FlowsFile flows) {
    return flows.paths().stream()
        .filter(path -> path.hops().contains("Outlives.handle"))
        .mapToLong(FlowsFile.FlowPath::released)
        .sum();
  }
}
