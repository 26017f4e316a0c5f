package org.buftrail.it;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import org.buftrail.it.programs.ArrowBuffers;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Buffers of a library that is not Netty, which count in an object of their own. */
final class ArrowIT {
  private static final String TAKEN =
      "BaseAllocator.buffer > ArrowBuffers.take > ArrowBuffers.take_return";
  private static final String SHARED = " > ArrowBuffers.share > ArrowBuf.retain > ArrowBuffers.use";

  @TempDir private Path directory;

  @EachSetting
  void itsBuffersAreFollowedToTheLastHolder(Setting setting) throws Exception {
    FlowsFile flows = run(new ForkedJvm(directory).on(setting), ";libraries=arrow");
    assertThat(flows.summaries())
        .containsExactlyInAnyOrder(
            TAKEN + " 0/0/1",
            TAKEN + " > ArrowBuffers.lose" + SHARED + " 0/2/0",
            TAKEN + " > ArrowBuffers.main" + SHARED + " > ByteBuf.release 3/0/0",
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
    FlowsFile flows = run(new ForkedJvm(directory), "");
    assertThat(flows.total("allocated")).isZero();
    assertThat(flows.summaries()).isEmpty();
  }

  private FlowsFile run(ForkedJvm jvm, String options) throws Exception {
    for (Path jar : Setting.arrow()) {
      jvm.alsoOnClassPath(jar);
    }
    ForkedJvm.Result result =
        jvm.option("--add-opens=java.base/java.nio=ALL-UNNAMED")
            .agent(FlowCases.INCLUDE + options + ";report=flows.json,flows.txt")
            .run(ArrowBuffers.class);
    assertThat(result.exit()).as(result.err()).isZero();
    assertThat(result.agentLines()).noneMatch(line -> line.contains("before the agent"));
    return FlowsFile.read(directory.resolve("flows.json"));
  }
}
