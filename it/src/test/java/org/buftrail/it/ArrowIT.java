package org.buftrail.it;

import static java.util.stream.Collectors.joining;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.buftrail.it.programs.ArrowBuffers;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Buffers of a library that is not Netty, which count in an object of their own. */
final class ArrowIT {
  private static final String RETURNED =
      "BaseAllocator.buffer > ArrowBuffers.take > ArrowBuffers.take_return";
  private static final String TAKEN = RETURNED + " > ArrowBuffers.main";
  private static final String SHARED = " > ArrowBuffers.share > ArrowBuf.retain > ArrowBuffers.use";

  private static final String OPENED = "--add-opens=java.base/java.nio=ALL-UNNAMED";

  @TempDir private Path directory;

  @EachSetting
  void itsBuffersAreFollowedToTheLastHolder(Setting setting) throws Exception {
    FlowsFile flows = run(new ForkedJvm(directory).on(setting), ";libraries=arrow");
    assertThat(flows.summaries())
        .containsExactlyInAnyOrder(
            TAKEN + " 0/0/1",
            TAKEN + " > ArrowBuffers.lose" + SHARED + " 0/2/0",
            TAKEN + SHARED + " > ByteBuf.release 3/0/0",
            TAKEN + " > ArrowBuffers.handOver > ByteBuf.release 1/0/0",
            "BufferLedger.new > ArrowBuffers.handOver > ArrowBuffers.use > ByteBuf.release 1/0/0");
    assertThat(flows.isBalanced()).isTrue();
    assertThat(flows.paths())
        .allSatisfy(path -> assertThat(path.resource()).isEmpty())
        .filteredOn(path -> path.leaked() > 0)
        .singleElement()
        .satisfies(path -> assertThat(path.leakedBytes()).isEqualTo(128));
    // One holder at first, two while it is shared.
    assertThat(Files.readString(directory.resolve("flows.txt")))
        .containsPattern("\n +1-2 +org.buftrail.it.programs.ArrowBuffers.use:");
  }

  @Test
  void withoutTheOptionNoneIsFollowed() throws Exception {
    assertThat(result(new ForkedJvm(directory), "").agentLines()).isEmpty();
    assertThat(directory.resolve("flows.json")).doesNotExist();
  }

  @Test
  void anAttachFollowsWhatWasLoadedAndTheNextOneDoesSoOnlyIfAskedTo() throws Exception {
    String jars = Setting.arrow().stream().map(Path::toString).collect(joining(File.pathSeparator));
    List<String> line =
        List.of(
            OPENED,
            "-cp",
            Setting.newest().classPath() + File.pathSeparator + jars,
            ArrowBuffers.class.getName(),
            "asked");
    try (RunningProgram program = new RunningProgram(directory, Setting.newest().java(), line)) {
      program.await("ready");
      program.load(FlowCases.INCLUDE + ";libraries=arrow");
      assertThat(program.err())
          .contains("following Netty and Arrow buffers")
          .doesNotContain("before the agent");
      take(program);
      assertThat(program.dump().summaries())
          .containsExactly(RETURNED + " > ByteBuf.release 10/0/0");
      program.load("detach");
      take(program);
      program.load(FlowCases.INCLUDE);
      assertThat(program.err()).contains("following Netty buffers");
      take(program);
      FlowsFile flows = program.dump();
      assertThat(flows.total("allocated")).isEqualTo(10);
      assertThat(flows.isBalanced()).isTrue();
      program.stop();
    }
  }

  private void take(RunningProgram program) throws Exception {
    program.create("take");
    while (Files.exists(directory.resolve("take"))) {
      Thread.sleep(10);
    }
  }

  private FlowsFile run(ForkedJvm jvm, String options) throws Exception {
    assertThat(result(jvm, options).agentLines())
        .anyMatch(line -> line.startsWith("buftrail: following Netty and Arrow buffers, hops in"))
        .noneMatch(line -> line.contains("before the agent"));
    return FlowsFile.read(directory.resolve("flows.json"));
  }

  private ForkedJvm.Result result(ForkedJvm jvm, String options) throws Exception {
    for (Path jar : Setting.arrow()) {
      jvm.alsoOnClassPath(jar);
    }
    ForkedJvm.Result result =
        jvm.option(OPENED)
            .agent(FlowCases.INCLUDE + options + ";report=flows.json,flows.txt")
            .run(ArrowBuffers.class);
    assertThat(result.exit()).as(result.err()).isZero();
    return result;
  }
}
