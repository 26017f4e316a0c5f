package org.buftrail.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.buftrail.it.FlowCases.flows;

import java.nio.file.Path;
import org.buftrail.it.programs.Stale;
import org.junit.jupiter.api.io.TempDir;

/** A release of a pooled buffer that belongs to its next owner already. */
final class StaleReleaseIT {
  private static final String VICTIM =
      " use after release at use: PooledByteBufAllocator.heapBuffer > Stale.once > ByteBuf.release";

  @TempDir private Path directory;

  @EachSetting
  void theFirstVictimIsToldWithItsOwnPath(Setting setting) throws Exception {
    FlowsFile flows = flows(setting, directory, Stale.class, "1");
    assertThat(flows.misuses()).containsExactly("1" + VICTIM);
    assertThat(flows.isBalanced()).isTrue();
  }

  @EachSetting
  void fromTheSecondOnThePathOfTheLifeBeforeIsToldToo(Setting setting) throws Exception {
    FlowsFile flows = flows(setting, directory, Stale.class, "3");
    assertThat(flows.misuses())
        .containsExactly(
            "3"
                + VICTIM
                + ", before: PooledByteBufAllocator.heapBuffer > Stale.once > Stale.end"
                + " > ByteBuf.release");
    assertThat(flows.isBalanced()).isTrue();
  }
}
