package org.buftrail.it;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordingFile;
import org.buftrail.it.programs.AtTheEnd;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * What a JVM leaves undecided when it ends, or is asked to collect, against the program's own
 * ledger.
 */
final class EndIT {
  private static final String SAID = "UNDECIDED: 60 of the live ones may be lost";
  private static final String[] LOST_AND_KEPT = {"lose=53", "keep=7", "free=3"};

  @TempDir private Path directory;

  private static List<List<String>> collectors(Setting setting) {
    List<List<String>> all = new ArrayList<>();
    all.add(List.of("-XX:+UseSerialGC"));
    all.add(List.of("-XX:+UseParallelGC"));
    all.add(List.of("-XX:+UseG1GC"));
    all.add(List.of("-XX:+UseG1GC", "-XX:+ExplicitGCInvokesConcurrent"));
    if (setting.javaVersion() >= 17) {
      all.add(List.of("-XX:+UseZGC"));
    }
    return all;
  }

  private ForkedJvm jvm(Setting setting, String options) {
    return new ForkedJvm(directory)
        .on(setting)
        .option("-Xlog:gc:file=" + directory.resolve("gc.log"))
        .agent(FlowCases.INCLUDE + ";report=flows.json" + options);
  }

  private ForkedJvm jvm(Setting setting, List<String> collector) {
    ForkedJvm jvm = new ForkedJvm(directory).java(setting.java());
    collector.forEach(jvm::option);
    return jvm.agent(FlowCases.INCLUDE + ";report=flows.json");
  }

  private boolean hasCollected() throws IOException {
    return Files.readString(directory.resolve("gc.log")).contains("System.gc()");
  }

  private ForkedJvm.Result assertEnd(
      ForkedJvm jvm, long leaked, long live, long undecided, String... arguments) throws Exception {
    ForkedJvm.Result result = jvm.run(AtTheEnd.class, arguments);
    assertThat(result.exit()).as(result.err()).isZero();
    FlowsFile flows = FlowsFile.read(directory.resolve("flows.json"));
    String known = known(flows, result.err());
    assertThat(flows.total("leaked")).as(known).isEqualTo(leaked);
    assertThat(flows.total("live")).as(known).isEqualTo(live);
    assertThat(flows.tracker().path("undecided").asLong()).as(known).isEqualTo(undecided);
    assertThat(flows.tracker().path("atEnd").asBoolean()).isTrue();
    assertThat(flows.isBalanced()).isTrue();
    return result;
  }

  /** What a failure needs to say: why something was not decided stands in the output alone. */
  private static String known(FlowsFile flows, String err) {
    return flows.totals() + " " + flows.tracker() + " " + flows.summaries() + "\n" + err;
  }

  @EachSetting(newestNetty = true)
  void whatIsLostIsLeakedAndWhatIsReachedIsLiveWithEachCollector(Setting setting) throws Exception {
    for (List<String> collector : collectors(setting)) {
      String[] arguments = {"lose=53", "keep=7", "free=3", "ended=11", "going=13"};
      assertEnd(jvm(setting, collector), 53 + 11 + 13, 7 + 1, 0, arguments);
    }
  }

  @EachSetting
  void aCollectionDecidesAtTheEndWithEachNetty(Setting setting) throws Exception {
    ForkedJvm.Result result = assertEnd(jvm(setting, ""), 53, 7, 0, LOST_AND_KEPT);
    assertThat(hasCollected()).isTrue();
    assertThat(result.err()).doesNotContain("undecided");
  }

  @EachSetting(newestNetty = true, java = 21)
  void whatAVirtualThreadLostIsLeaked(Setting setting) throws Exception {
    assertEnd(jvm(setting, ""), 17 + 5, 2, 0, "virtual=17", "keep=2", "lose=5");
  }

  @EachSetting(newestNetty = true)
  void thousandsAreFound(Setting setting) throws Exception {
    assertEnd(jvm(setting, ""), 20_011, 1_009, 0, "lose=20011", "keep=1009");
  }

  @EachSetting(newestNetty = true)
  void whereNothingIsLiveNothingIsCollected(Setting setting) throws Exception {
    assertEnd(jvm(setting, ""), 0, 0, 0, "free=19");
    assertThat(hasCollected()).isFalse();
  }

  @EachSetting(newestNetty = true, outerJvms = true)
  void aJvmThatDoesNotCollectSaysSoInEveryForm(Setting setting) throws Exception {
    String forms = ",flows.txt,flows.html,flows.llm,flows.dot,flows.mmd,flows.otlp,flows.collapsed";
    ForkedJvm jvm = jvm(setting, forms).withRoom().option("-XX:+DisableExplicitGC");
    ForkedJvm.Result result = assertEnd(jvm, 0, 60, 60, LOST_AND_KEPT);
    assertThat(result.agentLines())
        .last()
        .isEqualTo(
            "buftrail: 60 live flows are undecided: the JVM does not collect on request, as with"
                + " -XX:+DisableExplicitGC");
    assertThat(directory.resolve("flows.txt")).content().contains(SAID, "No leak is proved");
    assertThat(directory.resolve("flows.txt")).content().doesNotContain("No leak was found");
    assertThat(directory.resolve("flows.llm")).content().contains(" undecided=60 at_end=true");
    assertThat(directory.resolve("flows.dot")).content().contains(SAID);
    assertThat(directory.resolve("flows.mmd")).content().contains(SAID);
    assertThat(directory.resolve("flows.html"))
        .content()
        .contains("\"undecided\":60,\"atEnd\":true");
    assertGate("flows.json");
    assertGate("flows.otlp");
  }

  /** A comparison of a file with itself, in which nothing else is wrong. */
  private void assertGate(String file) throws Exception {
    String flows = directory.resolve(file).toString();
    ForkedJvm.Result failed =
        new ForkedJvm(directory).runJar("diff", flows, flows, "--fail-on", "new-leak,growth=1%");
    assertThat(failed.exit()).isEqualTo(1);
    assertThat(failed.out()).contains("FAILED  undecided: 60 live flows may be lost");
    assertThat(
            new ForkedJvm(directory)
                .runJar("diff", flows, flows, "--fail-on", "new-leak", "--allow-undecided")
                .exit())
        .isZero();
  }

  @EachSetting(newestNetty = true, outerJvms = true)
  void aLargeHeapIsCollectedOnlyWhenTheUserSaysSo(Setting setting) throws Exception {
    String[] arguments = {"fill=1030", "lose=53", "keep=7"};
    ForkedJvm large = large(jvm(setting, ""));
    ForkedJvm.Result result = assertEnd(large, 0, 60, 60, arguments);
    assertThat(result.agentLines())
        .last()
        .asString()
        .matches(
            "buftrail: 60 live flows are undecided: with 1\\d\\d\\d MiB of heap in use only"
                + " collectAtEnd=true has it decided");
    assertThat(hasCollected()).isFalse();
    assertEnd(large(jvm(setting, ";collectAtEnd=true")), 53, 7, 0, arguments);
  }

  /** What fills the heap grows old, and what is lost then does not fill the young generation. */
  private static ForkedJvm large(ForkedJvm jvm) {
    return jvm.option("-Xms2400m")
        .option("-Xmx2400m")
        .option("-Xmn1200m")
        .option("-XX:MetaspaceSize=256m");
  }

  @Test
  void theUserMayForbidIt() throws Exception {
    ForkedJvm.Result result =
        assertEnd(
            jvm(Setting.newest(), ";collectAtEnd=false").withRoom(), 0, 60, 60, LOST_AND_KEPT);
    assertThat(result.err()).contains("collectAtEnd=false");
    assertThat(hasCollected()).isFalse();
  }

  /** What the hook still frees is live; it waits for the report, which does not wait for it. */
  @EachSetting(newestNetty = true)
  void aShutdownHookOfTheApplicationGoesOnMeanwhile(Setting setting) throws Exception {
    ForkedJvm.Result result =
        assertEnd(jvm(setting, ""), 53, 7, 0, "lose=53", "keep=7", "hook=flows.json");
    assertThat(result.out()).isEqualTo("freed 7\n");
  }

  @EachSetting(newestNetty = true)
  void anExitWithinAThreadIsAnEndToo(Setting setting) throws Exception {
    ForkedJvm.Result result =
        jvm(setting, "").run(AtTheEnd.class, "lose=53", "going=13", "keep=7", "exit=3");
    assertThat(result.exit()).isEqualTo(3);
    FlowsFile flows = FlowsFile.read(directory.resolve("flows.json"));
    assertThat(flows.total("leaked")).isEqualTo(53 + 13);
    assertThat(flows.total("live")).isEqualTo(7 + 1);
    assertThat(flows.tracker().has("undecided")).isFalse();
  }

  private RunningProgram program(Setting setting, List<String> options, String... arguments)
      throws IOException {
    List<String> line = new ArrayList<>(options);
    line.addAll(List.of("-cp", setting.classPath(), AtTheEnd.class.getName()));
    line.addAll(List.of(arguments));
    return new RunningProgram(directory, setting.java(), line);
  }

  @EachSetting(newestNetty = true)
  void buffersThatAreFollowedThroughTheMapAreDecidedToo(Setting setting) throws Exception {
    try (RunningProgram program =
        program(setting, List.of(), "free=1", "file=ready", "lose=53", "keep=7", "ended=11")) {
      program.await("ready");
      program.load(FlowCases.INCLUDE + ";report=flows.json");
      program.delete("ready");
      program.awaitEnd();
      FlowsFile flows = FlowsFile.read(directory.resolve("flows.json"));
      String known = known(flows, program.err());
      assertThat(flows.total("leaked")).as(known).isEqualTo(53 + 11);
      assertThat(flows.total("live")).as(known).isEqualTo(7);
      assertThat(flows.tracker().has("undecided")).as(known).isFalse();
    }
  }

  @EachSetting(newestNetty = true)
  void theFirstCollectionThatIsAskedForDecides(Setting setting) throws Exception {
    for (List<String> collector : collectors(setting)) {
      List<String> options = new ArrayList<>(collector);
      options.addAll(ForkedJvm.ROOM);
      options.add("-javaagent:" + Setting.JAR + "=" + FlowCases.INCLUDE);
      try (RunningProgram program =
          program(setting, options, "keep=7", "ended=11", "lose=50", "file=lost", "free=1")) {
        program.await("lost");
        ForkedJvm.Result dump = firstDump(program);
        assertThat(dump.err()).contains("the JVM collected: 61 more leaked, 3904 bytes\n");
        FlowsFile flows = FlowsFile.read(directory.resolve("dump.json"));
        assertThat(flows.total("leaked")).as(collector.toString()).isEqualTo(61);
        assertThat(flows.total("live")).isEqualTo(7);
        assertThat(flows.tracker().has("undecided")).isFalse();
        assertThat(flows.tracker().has("atEnd")).isFalse();
        program.delete("lost");
        program.awaitEnd();
      }
    }
  }

  /** The first that is answered: the agent may have met no buffer a moment before. */
  private ForkedJvm.Result firstDump(RunningProgram program) throws Exception {
    ForkedJvm.Result dump;
    int attempts = 0;
    do {
      dump = program.command("dump", "--gc", "-o", directory + "/dump.json");
    } while (dump.err().matches("(?s).*(has met no buffer yet|does not run the agent).*")
        && ++attempts < 20);
    return dump;
  }

  @Test
  void aCommandSaysHowManyItCouldNotDecide() throws Exception {
    List<String> options = new ArrayList<>(ForkedJvm.ROOM);
    options.add("-XX:+DisableExplicitGC");
    options.add("-javaagent:" + Setting.JAR + "=" + FlowCases.INCLUDE);
    try (RunningProgram program =
        program(Setting.newest(), options, "keep=7", "lose=50", "file=lost")) {
      program.await("lost");
      assertThat(firstDump(program).err())
          .contains(
              "the JVM did not collect, so nothing is proved, and 57 live flows are undecided");
      assertThat(program.command("dump").out())
          .contains("undecided: 57 of the live ones may be lost")
          .contains("No leak is proved, but 57 flows may be lost. A collection decides");
      program.delete("lost");
      program.awaitEnd();
    }
  }

  /** Flight Recorder ends its recording before the report is written, or after. */
  @Test
  void aRecordingHasTheLeaksOfTheEnd() throws Exception {
    ForkedJvm jvm = jvm(Setting.newest(), "").option("-XX:StartFlightRecording=filename=end.jfr");
    // The events begin with the first of Netty's buffers.
    assertEnd(jvm, 53, 7, 0, "keep=7", "wait=2000", "lose=53");
    long leaked = 0;
    for (RecordedEvent event : RecordingFile.readAllEvents(directory.resolve("end.jfr"))) {
      leaked += event.getEventType().getName().equals("buftrail.Leak") ? event.getLong("count") : 0;
    }
    assertThat(leaked).isEqualTo(53);
  }
}
