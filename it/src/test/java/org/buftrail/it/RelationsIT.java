package org.buftrail.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.buftrail.it.FlowCases.flows;

import java.nio.file.Path;
import org.buftrail.it.FlowsFile.FlowPath;
import org.buftrail.it.programs.Composites;
import org.buftrail.it.programs.Derived;
import org.buftrail.it.programs.Misuser;
import org.junit.jupiter.api.io.TempDir;

/** Buffers that belong to others, and what is done to buffers after their end. */
final class RelationsIT {
  private static final String COMPOSITE =
      "PooledByteBufAllocator.compositeDirectBuffer > Composites.";
  private static final String DIRECT = "PooledByteBufAllocator.directBuffer > Composites.";

  @TempDir private Path directory;

  @EachSetting
  void aCompositeAndWhatItHoldsAreOneLeakAndReleasedComponentsGoBack(Setting setting)
      throws Exception {
    FlowsFile flows = flows(setting, directory, Composites.class);
    assertThat(flows.summaries())
        .containsExactlyInAnyOrder(
            COMPOSITE + "leak > Composites.passLeaked 0/1+2/0",
            COMPOSITE
                + "release > Composites.passReleased > Composites.release > ByteBuf.release 1/0/0",
            DIRECT + "release > ByteBuf.release 1/0/0",
            COMPOSITE
                + "giveUp > Composites.passReleased > Composites.giveUp > ByteBuf.release 1/0/0",
            DIRECT + "giveUp > Composites.passGivenUp > Composites.giveUp > ByteBuf.release 1/0/0",
            COMPOSITE + "swallow > ByteBuf.release 1/0/0",
            COMPOSITE + "swallow > Composites.passSwallowing 0/1+1/0");
    assertThat(path(flows, "leak > Composites.passLeaked").leakedBytes()).isEqualTo(150);
    assertThat(path(flows, "swallow > Composites.passSwallowing").leakedBytes()).isEqualTo(64);
    assertThat(flows.total("releasedBytes")).isEqualTo(30 + 20);
    assertThat(flows.isBalanced()).isTrue();
  }

  @EachSetting
  void aLeakedSliceAndItsParentAreOneLeak(Setting setting) throws Exception {
    FlowsFile flows = flows(setting, directory, Derived.class);
    String released = "PooledByteBufAllocator.directBuffer > Derived.release > ";
    assertThat(flows.summaries())
        .containsExactlyInAnyOrder(
            released
                + "Derived.release > Derived.passSlice > Derived.release > ByteBuf.release 1/0/0",
            released
                + "ByteBuf.retain > Derived.passParent > Derived.release > ByteBuf.release 1/0/0",
            "PooledByteBufAllocator.directBuffer > Derived.leak > Derived.leak > Derived.drop 0/1+1/0");
    assertThat(path(flows, "Derived.drop").leakedBytes()).isEqualTo(512);
    assertThat(path(flows, "passSlice > Derived.release > ByteBuf.release").releasedBytes())
        .isZero();
    assertThat(flows.isBalanced()).isTrue();
  }

  @EachSetting
  void whatIsDoneToAReleasedBufferIsToldWithThePathOfItsRelease(Setting setting) throws Exception {
    FlowsFile flows = flows(setting, directory, Misuser.class);
    String pooled = " PooledByteBufAllocator.directBuffer > Misuser.main > Misuser.misuse";
    String unpooled = " UnpooledByteBufAllocator.heapBuffer > Misuser.main > Misuser.misuse";
    String released = " > Misuser.releaseFirst > ByteBuf.release";
    assertThat(flows.misuses())
        .containsExactlyInAnyOrder(
            "1 double release at releaseAgain:" + pooled + released,
            "1 double release at releaseAgain:" + unpooled + released,
            "1 retain after release at retainDead:" + pooled + released,
            "1 retain after release at retainDead:" + unpooled + released,
            "2 use after release at readDead:" + pooled + released,
            "2 use after release at readDead:" + unpooled + released);
    assertThat(flows.isBalanced()).isTrue();
  }

  private static FlowPath path(FlowsFile flows, String end) {
    return flows.paths().stream()
        .filter(path -> path.hops().endsWith(end))
        .findFirst()
        .orElseThrow();
  }
}
