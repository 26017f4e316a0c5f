package org.buftrail.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.buftrail.it.FlowCases.flows;

import java.nio.file.Path;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import org.buftrail.it.FlowsFile.FlowPath;
import org.buftrail.it.programs.Kept;
import org.buftrail.it.programs.Leaker;
import org.buftrail.it.programs.LiveAtExit;
import org.junit.jupiter.api.io.TempDir;

/** How flows end: released, leaked, or not yet. */
final class EndsIT {
  @TempDir private Path directory;

  @EachSetting
  void aBufferThatIsCollectedUnreleasedIsALeakWhereItWasLastSeen(Setting setting) throws Exception {
    Instant before = Instant.now().truncatedTo(ChronoUnit.MILLIS);
    FlowsFile flows = flows(setting, directory, Leaker.class);
    assertThat(flows.summaries())
        .containsExactly(
            "PooledByteBufAllocator.directBuffer > Leaker.handle > Leaker.check"
                + " > Leaker.forget 0/5/0",
            "PooledByteBufAllocator.directBuffer > Leaker.handle > Leaker.check"
                + " > Leaker.handle > ByteBuf.release 3/0/0");
    assertThat(flows.paths())
        .filteredOn(path -> path.leaked() > 0)
        .allSatisfy(
            path -> {
              assertThat(path.severity()).isEqualTo("critical");
              assertThat(Instant.parse(path.firstSeen()))
                  .isBetween(before, Instant.parse(path.lastSeen()));
              assertThat(Instant.parse(path.lastSeen())).isBefore(Instant.now());
            });
    assertThat(flows.total("leaked")).isEqualTo(5);
    assertThat(flows.total("leakedBytes")).isEqualTo(5 * 1024);
    assertThat(flows.isBalanced()).isTrue();
  }

  @EachSetting
  void aBufferThatIsStillHeldIsLiveAndNoLeak(Setting setting) throws Exception {
    FlowsFile flows = flows(setting, directory, LiveAtExit.class);
    assertThat(flows.summaries())
        .containsExactly(
            "UnpooledByteBufAllocator.directBuffer > LiveAtExit.main > LiveAtExit.hold 0/0/2");
    FlowPath path = flows.paths().get(0);
    assertThat(path.liveBytes()).isEqualTo(200);
    assertThat(path.direct()).isTrue();
    assertThat(flows.total("leaked")).isZero();
    assertThat(flows.isBalanced()).isTrue();
  }

  @EachSetting
  void anUnreleasableConstantIsNeitherLiveNorLeaked(Setting setting) throws Exception {
    FlowsFile flows = flows(setting, directory, Kept.class);
    assertThat(flows.total("live")).isZero();
    assertThat(flows.total("leaked")).isZero();
    assertThat(flows.summaries())
        .containsExactly("UnpooledByteBufAllocator.heapBuffer > Kept.main > ByteBuf.release 1/0/0");
  }
}
