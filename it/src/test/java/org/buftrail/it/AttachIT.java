package org.buftrail.it;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.buftrail.it.programs.LostRequests;
import org.buftrail.it.programs.Related;
import org.buftrail.it.programs.Server;
import org.buftrail.model.LeakPaths;
import org.buftrail.model.Snapshot;
import org.buftrail.report.EvidenceText;
import org.buftrail.report.SnapshotJsonReader;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The agent attached to a JVM that is serving already, and detached from it. */
final class AttachIT {
  private static final String REPORT = FlowCases.INCLUDE + ";report=flows.json";
  private static final String NO_OWN = "include=com.example.nobody;report=flows.json";
  private static final String REQUESTS =
      "a FullHttpRequest each, 60 buffers in all \\((\\d+) of \\1 looks?\\)";
  private static final String COLLECTED =
      "; perhaps in a collection that the last method fills; LostRequests releases in main:\\d+";
  private static final String PATH =
      "PooledByteBufAllocator.directBuffer > Server.make > Server.make_return > Server.serve >"
          + " Server.work";

  @TempDir private Path directory;

  @Test
  void buffersAreFollowedFromTheAttachToTheDetach() throws Exception {
    try (RunningProgram program = serve(List.of())) {
      program.await("running");
      program.load(REPORT);
      leak(program);
      program.stop();
      FlowsFile flows = FlowsFile.read(directory.resolve("flows.json"));
      assertThat(flows.paths())
          .filteredOn(p -> p.leaked() > 0)
          .singleElement()
          .satisfies(
              leak -> {
                assertThat(leak.hops()).isEqualTo(PATH);
                assertThat(leak.leakedBytes()).isEqualTo(128 * leak.leaked());
                assertThat(leak.refs()).containsOnly("1-2");
              });
      assertThat(flows.paths())
          .anySatisfy(
              p -> assertThat(p.hops()).isEqualTo(PATH + " > Server.serve > ByteBuf.release"));
      assertThat(flows.isBalanced()).isTrue();
      assertThat(program.err()).contains("buffers are followed from now on through a map");
    }
  }

  @Test
  void afterADetachNothingIsFollowedAndNothingCountsAsLeaked() throws Exception {
    try (RunningProgram program = serve(List.of())) {
      program.await("running");
      program.load(REPORT);
      awaitReleased(program);
      program.load("detach");
      leak(program);
      program.stop();
      FlowsFile flows = FlowsFile.read(directory.resolve("flows.json"));
      assertThat(flows.total("released")).isPositive();
      assertThat(flows.total("leaked")).isZero();
      assertThat(flows.total("live")).isZero();
      assertThat(flows.isBalanced()).isTrue();
    }
  }

  /** Netty has its shape since the start, and keeps it. */
  @Test
  void theAgentOfTheStartIsDetachedAndAttachedAgain() throws Exception {
    try (RunningProgram program = serve(List.of("-javaagent:" + Setting.JAR + "=" + REPORT))) {
      program.await("running");
      program.load("detach");
      assertThat(program.err())
          .containsPattern("detached; the tracking was taken out of [1-9]\\d* classes");
      long allocated = program.dump().total("allocated");
      assertThat(allocated).isPositive();
      leak(program);
      assertThat(program.dump().total("allocated")).isEqualTo(allocated);
      program.load(FlowCases.INCLUDE + ";report=flows.json");
      assertThat(program.err()).doesNotContain("through a map");
      leak(program);
      program.stop();
      FlowsFile flows = FlowsFile.read(directory.resolve("flows.json"));
      assertThat(flows.total("allocated")).isGreaterThan(allocated);
      assertThat(flows.paths().stream().filter(path -> path.leaked() > 0))
          .isNotEmpty()
          .allSatisfy(path -> assertThat(path.hops()).isEqualTo(PATH));
      assertThat(flows.total("live")).isZero();
      assertThat(flows.isBalanced()).isTrue();
    }
  }

  @Test
  void attachedItCountsAsStarted() throws Exception {
    List<String> started;
    try (RunningProgram program =
        run(Related.class, List.of("-javaagent:" + Setting.JAR + "=" + REPORT), "a", "go")) {
      program.await("a");
      program.create("go");
      program.awaitEnd();
      started = leaks();
    }
    assertThat(started)
        .hasSize(6)
        .contains(
            "Unpooled.wrappedBuffer > Related.lose > Related.composite 0/20+40/0",
            "Unpooled.wrappedUnmodifiableBuffer > Related.lose > Related.fixed 0/20+40/0");
    try (RunningProgram program = run(Related.class, List.of(), "b", "went")) {
      program.await("b");
      program.load(REPORT);
      program.create("went");
      program.awaitEnd();
    }
    assertThat(leaks()).isEqualTo(started);
  }

  @Test
  void aRequestIsOneThingAttachedAndStarted() throws Exception {
    assertRequests(requests(REPORT, true));
    assertRequests(requests(REPORT, false));
  }

  /** So it is where the application's code never meets it, but a pipeline has it. */
  @Test
  void soItIsInAPipelineWithoutAHopOfTheApplication() throws Exception {
    assertRequests(requests(NO_OWN, true));
    assertRequests(requests(NO_OWN, false));
  }

  @Test
  void requestsThatAreKeptAreToldAsThoseThatAreLost() throws Exception {
    assertKept(requests(REPORT, true, "keep"));
    assertKept(requests(REPORT, false, "keep"));
  }

  private static void assertKept(Snapshot snapshot) {
    assertThat(snapshot.paths())
        .filteredOn(path -> path.live().count() > 0)
        .singleElement()
        .satisfies(
            path -> {
              assertThat(path.live().count()).isEqualTo(60);
              assertThat(path.liveParts()).isEqualTo(40);
              assertThat(EvidenceText.live(path)).matches(REQUESTS + COLLECTED);
            });
  }

  /** The report of a program whose requests come after the agent. */
  private Snapshot requests(String options, boolean isStarted, String... more) throws Exception {
    List<String> jvm = isStarted ? List.of("-javaagent:" + Setting.JAR + "=" + options) : List.of();
    List<String> arguments = new ArrayList<>(isStarted ? List.of("a", "go") : List.of("b", "went"));
    arguments.addAll(List.of(more));
    try (RunningProgram program = run(LostRequests.class, jvm, arguments.toArray(new String[0]))) {
      program.await(arguments.get(0));
      if (!isStarted) {
        program.load(options);
      }
      program.create(arguments.get(1));
      program.awaitEnd();
    }
    return SnapshotJsonReader.read(directory.resolve("flows.json"));
  }

  private static void assertRequests(Snapshot snapshot) {
    assertThat(LeakPaths.of(snapshot.paths()))
        .singleElement()
        .satisfies(
            leak -> {
              assertThat(leak.leaked().count()).isEqualTo(20);
              assertThat(leak.held()).isEqualTo(40);
              assertThat(EvidenceText.sentences(leak)).first().asString().matches(REQUESTS);
            });
  }

  private List<String> leaks() throws IOException {
    FlowsFile flows = FlowsFile.read(directory.resolve("flows.json"));
    assertThat(flows.isBalanced()).isTrue();
    assertThat(flows.total("dropped") + flows.total("live")).isZero();
    return flows.paths().stream()
        .filter(path -> path.leaked() > 0)
        .map(FlowsFile.FlowPath::summary)
        .sorted()
        .toList();
  }

  /** Has the server lose some buffers. */
  private void leak(RunningProgram program) throws Exception {
    program.create("leaking");
    program.await("lost");
    program.delete("leaking");
    program.delete("lost");
  }

  private static void awaitReleased(RunningProgram program) throws Exception {
    for (int i = 0; program.dump().total("released") == 0; i++) {
      assertThat(i).as("dumps").isLessThan(60);
    }
  }

  private RunningProgram serve(List<String> options) throws IOException {
    return run(Server.class, options, "running", "leaking", "stop");
  }

  private RunningProgram run(Class<?> program, List<String> options, String... arguments)
      throws IOException {
    List<String> line = new ArrayList<>(options);
    line.addAll(
        List.of(
            "-Dio.netty.leakDetection.level=disabled",
            "-cp",
            Setting.newest().classPath(),
            program.getName()));
    line.addAll(List.of(arguments));
    return new RunningProgram(directory, Setting.newest().java(), line);
  }
}
