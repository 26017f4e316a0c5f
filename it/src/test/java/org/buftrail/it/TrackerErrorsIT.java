package org.buftrail.it;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
import org.buftrail.it.programs.Broken;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Errors inside the tracker, made by a buffer that cannot be asked for its count. */
final class TrackerErrorsIT {
  @TempDir private Path directory;

  @Test
  void eachErrorIsCountedAndTheFirstOfItsKindLogged() throws Exception {
    ForkedJvm.Result result = run(10);
    FlowsFile flows = FlowsFile.readWithErrors(directory.resolve("flows.json"));
    assertThat(flows.total("suppressedErrors")).isEqualTo(41);
    assertThat(flows.total("released")).as("what is not broken is followed").isEqualTo(2);
    assertThat(result.agentLines()).filteredOn(line -> line.contains("suppressed")).hasSize(1);
    assertThat(result.agentLines()).noneMatch(line -> line.contains("tracking is off"));
  }

  @Test
  void aBurstOfErrorsSwitchesTheTrackingOff() throws Exception {
    ForkedJvm.Result result = run(2_000);
    FlowsFile flows = FlowsFile.readWithErrors(directory.resolve("flows.json"));
    assertThat(flows.total("allocated")).as("nothing begins after the burst").isEqualTo(2);
    assertThat(flows.tracker("stopReason")).isEqualTo("1000 errors inside the tracker within 10 s");
    assertThat(Instant.parse(flows.tracker("stoppedAt"))).isBefore(Instant.now());
    assertThat(directory.resolve("flows.txt")).content().contains("NOT FOLLOWING new buffers");
    assertThat(flows.total("released")).as("what is under way ends").isEqualTo(1);
    assertThat(result.agentLines()).filteredOn(line -> line.contains("suppressed")).hasSize(1);
    assertThat(result.agentLines())
        .filteredOn(line -> line.contains("tracking is off: 1000 errors inside the tracker"))
        .hasSize(1);
  }

  private ForkedJvm.Result run(int times) throws IOException, InterruptedException {
    ForkedJvm.Result result =
        new ForkedJvm(directory)
            .agent(FlowCases.INCLUDE + ";report=flows.json,flows.txt")
            .run(Broken.class, Integer.toString(times));
    assertThat(result.exit()).isZero();
    assertThat(result.out()).as("the application saw nothing").isEqualTo("done");
    return result;
  }
}
