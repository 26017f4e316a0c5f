package org.buftrail.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.buftrail.it.FlowCases.flows;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.buftrail.it.programs.Both;
import org.buftrail.it.programs.Recycler;
import org.buftrail.it.programs.Silent;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What options do, and that a wrong one costs the application nothing. */
final class OptionsIT {
  @TempDir private Path directory;

  @Test
  void aBadOptionIsOneLineAndTheApplicationRuns() throws Exception {
    ForkedJvm.Result result =
        new ForkedJvm(directory).agent("inclde=com.example").run(Silent.class);
    assertApplicationRan(result);
    assertThat(result.err().lines())
        .singleElement()
        .asString()
        .startsWith("buftrail: ")
        .contains("'inclde'")
        .contains("'include'");
  }

  @Test
  void aReportThatCannotBeWrittenIsOneLineAndTheApplicationRuns() throws Exception {
    ForkedJvm.Result result =
        new ForkedJvm(directory).agent("report=no/such/place/flows.json").run(Silent.class);
    assertApplicationRan(result);
    assertThat(result.agentLines())
        .filteredOn(line -> line.startsWith("buftrail: report not written: "))
        .singleElement()
        .asString()
        .contains("flows.json");
    assertThat(result.err()).doesNotContain("\tat ").contains("buftrail: flows at shutdown");
  }

  @Test
  void theAgentSaysOneLineAtTheStartAndNothingOnStandardOutput() throws Exception {
    ForkedJvm.Result result = new ForkedJvm(directory).agent("report=flows.json").run(Silent.class);
    assertApplicationRan(result);
    assertThat(result.err().lines()).allMatch(line -> line.startsWith("buftrail: "));
    assertThat(FlowsFile.read(directory.resolve("flows.json")).total("allocated")).isZero();
  }

  @Test
  void theSameAgentGivenTwiceStartsOnce() throws Exception {
    ForkedJvm.Result result =
        new ForkedJvm(directory)
            .agent(FlowCases.INCLUDE + ";report=flows.json")
            .agent("report=second.json")
            .run(Both.class);
    assertStartedOnce(result);
  }

  @Test
  void anotherCopyOfTheAgentDoesNotStart() throws Exception {
    Path copy = Files.copy(Setting.JAR, directory.resolve("copy.jar"));
    ForkedJvm.Result result =
        new ForkedJvm(directory)
            .agent(FlowCases.INCLUDE + ";report=flows.json")
            .agent(copy, "report=second.json")
            .run(Both.class);
    assertStartedOnce(result);
  }

  private void assertStartedOnce(ForkedJvm.Result result) throws IOException {
    assertThat(result.exit()).isZero();
    assertThat(result.agentLines())
        .filteredOn(line -> line.contains("second agent is ignored"))
        .hasSize(1);
    assertThat(FlowsFile.read(directory.resolve("flows.json")).total("allocated")).isEqualTo(5);
    assertThat(directory.resolve("second.json")).doesNotExist();
  }

  @EachSetting
  void whereNothingIsIncludedAllocatorsAndReleasesAreFollowed(Setting setting) throws Exception {
    assertThat(flows(setting, "include=none", directory, Both.class).summaries())
        .containsExactly(
            "UnpooledByteBufAllocator.directBuffer > ByteBuf.release 2/0/0",
            "UnpooledByteBufAllocator.heapBuffer > ByteBuf.release 3/0/0");
  }

  @EachSetting
  void excludeWins(Setting setting) throws Exception {
    String options = FlowCases.INCLUDE + ";exclude=org.buftrail.it.programs.Both";
    assertThat(flows(setting, options, directory, Both.class).summaries())
        .containsExactly(
            "UnpooledByteBufAllocator.directBuffer > ByteBuf.release 2/0/0",
            "UnpooledByteBufAllocator.heapBuffer > ByteBuf.release 3/0/0");
  }

  @EachSetting
  void trackDirectOnlyLeavesHeapBuffersAlone(Setting setting) throws Exception {
    String options = FlowCases.INCLUDE + ";trackDirectOnly=true";
    FlowsFile flows = flows(setting, options, directory, Both.class);
    assertThat(flows.summaries())
        .containsExactly(
            "UnpooledByteBufAllocator.directBuffer > Both.main > Both.use"
                + " > ByteBuf.release 2/0/0");
    assertThat(flows.total("allocated")).isEqualTo(2);
  }

  @EachSetting
  void samplingScalesWhatItCounts(Setting setting) throws Exception {
    String options = FlowCases.INCLUDE + ";sample=10";
    FlowsFile flows = flows(setting, options, directory, Recycler.class, "100000");
    assertThat(flows.paths()).hasSize(1);
    assertThat(flows.total("released")).isBetween(95_000L, 105_000L);
    assertThat(flows.total("released") % 10).isZero();
    assertThat(flows.isBalanced()).isTrue();
  }

  private void assertApplicationRan(ForkedJvm.Result result) throws IOException {
    assertThat(result.exit()).isZero();
    assertThat(result.out()).isEqualTo("done");
    assertThat(Files.readString(directory.resolve("ran.txt"))).isEqualTo("yes");
  }
}
