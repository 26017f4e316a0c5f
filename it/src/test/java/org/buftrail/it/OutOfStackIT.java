package org.buftrail.it;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.TreeSet;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.buftrail.it.programs.OutOfMemory;
import org.buftrail.it.programs.OutOfStack;
import org.buftrail.it.programs.Silent;
import org.junit.jupiter.api.io.TempDir;

/** Applications whose stack ends, or whose heap is full, inside the tracker. */
final class OutOfStackIT {
  private static final String FILES = ";resource=java.io.FileInputStream:open=new,close=close";
  private static final String AFTER =
      "UnpooledByteBufAllocator.heapBuffer > OutOfStack.main > OutOfStack.after"
          + " > ByteBuf.release 100/0/0";

  private static final Pattern EXPECTED =
      Pattern.compile(
          "buftrail: (following Netty buffers.*|report written to .*|wove [12] classes .*|.+"
              + " failed, and goes on: java\\.lang\\.OutOfMemoryError.*|suppressed"
              + " java\\.lang\\.(StackOverflow|OutOfMemory)Error, met inside the tracker)");

  @TempDir private Path directory;

  /** The first thing that happens in the tracker. */
  @EachSetting(newestNetty = true)
  void anOverflowInAHopFirstOfAllCostsNothing(Setting setting) throws Exception {
    check(setting, "cold", "");
  }

  @EachSetting(newestNetty = true)
  void overflowsAnywhereInALifeCostNoReleaseAndNoReport(Setting setting) throws Exception {
    check(setting, "unpooled", "");
    check(setting, "pooled", "");
  }

  @EachSetting(newestNetty = true)
  void overflowsInOtherCallsOfTheTrackerDoNeither(Setting setting) throws Exception {
    check(setting, "retain", "");
    check(setting, "composite", "");
    check(setting, "misuse", "");
    check(setting, "file", FILES);
  }

  private void check(Setting setting, String deed, String options) throws Exception {
    Path here = Files.createDirectory(directory.resolve(deed));
    Files.write(here.resolve("data"), new byte[1]);
    ForkedJvm.Result result =
        new ForkedJvm(here)
            .on(setting)
            // Netty samples by chance what an overflow within its own code leaves behind.
            .option("-Dio.netty.leakDetection.level=disabled")
            .agent(FlowCases.INCLUDE + options + ";report=flows.json")
            .run(OutOfStack.class, deed);
    String what = deed + ": " + result.err() + result.out();
    assertThat(result.exit()).as(what).isZero();
    assertThat(result.out()).as(what).startsWith("done ");
    FlowsFile flows = FlowsFile.readWithErrors(here.resolve("flows.json"));
    expectedLines(result, what + flows.totals() + flows.tracker() + flows.summaries());
    assertThat(flows.isBalanced()).as(what + flows.totals()).isTrue();
    assertThat(flows.summaries()).as(what).contains(AFTER);
    if (!deed.equals("file")) {
      long released = Long.parseLong(result.out().split(" ", -1)[1]);
      assertThat(flows.total("released"))
          .as("what could not begin is not followed: " + flows.totals() + result.out())
          .isBetween(released * 99 / 100, released + 102);
    }
  }

  /**
   * What the JVM itself says of an exhausted stack is its own: it loads classes there too. Flows
   * whose allocation was cut off in the middle may stay open, one or a few.
   */
  private static void expectedLines(ForkedJvm.Result result, String known) {
    assertThat(result.err().lines())
        .as(known)
        .filteredOn(line -> !line.startsWith("*** java.lang.instrument ASSERTION FAILED ***"))
        .filteredOn(line -> !line.contains(" VM warning: Potentially dangerous stack overflow"))
        .filteredOn(line -> !line.matches("buftrail: [1-3] live flows? (is|are) undecided: .*"))
        .allMatch(line -> EXPECTED.matcher(line).matches());
  }

  @EachSetting(newestNetty = true)
  void aFullHeapCostsNothingEither(Setting setting) throws Exception {
    ForkedJvm.Result result =
        new ForkedJvm(directory)
            .on(setting)
            .option("-Xmx64m")
            .agent(FlowCases.INCLUDE + ";report=flows.json")
            .run(OutOfMemory.class);
    assertThat(result.exit()).as(result.err()).isZero();
    assertThat(result.agentLines()).allMatch(line -> EXPECTED.matcher(line).matches());
    FlowsFile flows = FlowsFile.readWithErrors(directory.resolve("flows.json"));
    assertThat(flows.isBalanced()).as(flows.totals() + result.out()).isTrue();
    String[] ledger = result.out().split(" ", -1);
    assertThat(flows.total("leaked") + flows.total("dropped"))
        .as(flows.totals().toString())
        .isGreaterThanOrEqualTo(Long.parseLong(ledger[1]));
    assertThat(flows.total("released"))
        .isBetween(Long.parseLong(ledger[0]) * 99 / 100, Long.parseLong(ledger[0]));
  }

  @EachSetting(newestNetty = true)
  void everyClassOfTheRuntimeIsInitialisedBeforeTheApplication(Setting setting) throws Exception {
    ForkedJvm.Result result =
        new ForkedJvm(directory)
            .on(setting)
            .option("-Xlog:class+init=info:file=init.log")
            .agent("report=flows.json;snapshotDir=snapshots")
            .run(Silent.class);
    assertThat(result.exit()).as(result.err()).isZero();
    TreeSet<String> initialised = new TreeSet<>();
    List<String> log = Files.readAllLines(directory.resolve("init.log"));
    for (String line : log) {
      Matcher m = Pattern.compile("'([\\w/$]+)'").matcher(line);
      if (line.contains("Initializing") && m.find()) {
        initialised.add(m.group(1));
        if (m.group(1).endsWith("/Silent")) {
          break;
        }
      }
    }
    assertThat(initialised).containsAll(runtime());
    assertThat(initialised)
        .as("of the JDK, what names snapshots, which may begin when the heap is full")
        .contains("java/lang/ProcessHandleImpl");
  }

  private static List<String> runtime() throws Exception {
    try (JarFile jar = new JarFile(Setting.JAR.toFile())) {
      return jar.stream()
          .map(JarEntry::getName)
          .filter(name -> name.matches("org/buftrail/(flow|model)/.*\\.class"))
          .map(name -> name.substring(0, name.length() - ".class".length()))
          .sorted(Comparator.naturalOrder())
          .toList();
    }
  }
}
