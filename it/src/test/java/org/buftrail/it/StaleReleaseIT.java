package org.buftrail.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.buftrail.it.FlowCases.flows;

import java.nio.file.Path;
import org.buftrail.it.programs.Stale;
import org.junit.jupiter.api.io.TempDir;

/** A release of a pooled buffer that belongs to its next owner already. */
final class StaleReleaseIT {
  private static final String ONCE = "PooledByteBufAllocator.heapBuffer > Stale.once";

  @TempDir private Path directory;

  @EachSetting
  void theFirstVictimIsToldWithThePathOfTheLifeBefore(Setting setting) throws Exception {
    assertVictims(setting, "1", "here", ONCE + " > Stale.once");
  }

  @EachSetting
  void soIsEachThatFollows(Setting setting) throws Exception {
    assertVictims(setting, "3", "here", ONCE + " > Stale.once");
  }

  @EachSetting
  void andOneWhoseBufferAnotherThreadReleased(Setting setting) throws Exception {
    assertVictims(setting, "1", "elsewhere", ONCE);
  }

  private void assertVictims(Setting setting, String times, String where, String releasedAt)
      throws Exception {
    FlowsFile flows = flows(setting, directory, Stale.class, times, where);
    assertThat(flows.misuses())
        .containsExactly(
            times
                + " use after release at use: "
                + releasedAt
                + " > ByteBuf.release, before: "
                + ONCE
                + " > Stale.end > ByteBuf.release");
    assertThat(flows.isBalanced()).isTrue();
  }
}
