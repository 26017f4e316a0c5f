package org.buftrail.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.buftrail.it.FlowCases.flows;

import java.nio.file.Path;
import org.buftrail.it.programs.Bounded;
import org.buftrail.it.programs.Loops;
import org.junit.jupiter.api.io.TempDir;

/** What keeps the number of paths within bounds, and loses no count. */
final class BoundsIT {
  private static final String ASKED = "UnpooledByteBufAllocator.heapBuffer > Bounded.main";
  private static final String REST =
      " > Bounded.first > Bounded.second > Bounded.third > Bounded.fourth > ByteBuf.release 10/0/0";

  @TempDir private Path directory;

  @EachSetting
  void aLoopGoesBackToWhereItCameBy(Setting setting) throws Exception {
    FlowsFile flows = flows(setting, directory, Loops.class);
    assertThat(flows.summaries())
        .containsExactly(
            "UnpooledByteBufAllocator.heapBuffer > Loops.main > Loops.decode > Loops.header"
                + " > Loops.body > Loops.end > ByteBuf.release 1/0/0");
  }

  @EachSetting
  void withinBoundsEveryPathIsTold(Setting setting) throws Exception {
    FlowsFile flows = flows(setting, directory, Bounded.class);
    assertThat(flows.summaries())
        .containsExactlyInAnyOrder(
            ASKED + " > Bounded.north" + REST,
            ASKED + " > Bounded.east" + REST,
            ASKED + " > Bounded.south" + REST,
            ASKED + " > Bounded.west" + REST);
    assertThat(flows.total("overflowed")).isZero();
  }

  @EachSetting
  void pastTheDepthPathsEndInOneNodeEach(Setting setting) throws Exception {
    FlowsFile flows = bounded(setting, "maxDepth=4");
    assertThat(flows.summaries())
        .hasSize(4)
        .allMatch(path -> path.matches(".* > Bounded.first > .+ > ByteBuf.release 10/0/0"))
        .noneMatch(path -> path.contains("second"));
  }

  @EachSetting
  void pastTheChildrenOfANodeThereIsOneForTheRest(Setting setting) throws Exception {
    FlowsFile flows = bounded(setting, "maxChildren=2");
    assertThat(flows.summaries())
        .hasSize(3)
        .contains(ASKED + " > Bounded.north" + REST, ASKED + " > Bounded.east" + REST)
        .anyMatch(path -> path.endsWith(" > ByteBuf.release 20/0/0"));
  }

  @EachSetting
  void pastTheNodesAsWell(Setting setting) throws Exception {
    FlowsFile flows = bounded(setting, "maxNodes=7");
    assertThat(flows.summaries())
        .hasSize(2)
        .contains(ASKED + " > Bounded.north" + REST)
        .anyMatch(path -> path.endsWith(" > ByteBuf.release 30/0/0"));
  }

  private FlowsFile bounded(Setting setting, String option) throws Exception {
    FlowsFile flows = flows(setting, FlowCases.INCLUDE + ";" + option, directory, Bounded.class);
    assertThat(flows.total("allocated")).isEqualTo(40);
    assertThat(flows.total("released")).isEqualTo(40);
    assertThat(flows.total("overflowed")).isPositive();
    return flows;
  }
}
