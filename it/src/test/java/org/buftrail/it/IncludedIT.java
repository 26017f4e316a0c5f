package org.buftrail.it;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.buftrail.it.netty.NettyNamed;
import org.buftrail.it.programs.PassThrough;
import org.junit.jupiter.api.io.TempDir;

/** What {@code include} makes of Netty, and of what only looks like it. */
final class IncludedIT {
  @TempDir private Path directory;

  @EachSetting
  void aCallKeepsItsPlaceWhereNettyIsIncludedToo(Setting setting) throws Exception {
    FlowsFile flows =
        FlowCases.flows(
            setting,
            FlowCases.INCLUDE + ",io.netty",
            directory,
            PassThrough.class,
            "unpooled",
            "direct",
            "100");
    assertThat(flows.summaries())
        .containsExactly(
            "UnpooledByteBufAllocator.directBuffer > PassThrough.direct > PassThrough.direct_return"
                + " > PassThrough.main > PassThrough.first > PassThrough.second > PassThrough.third"
                + " > ByteBuf.release 100/0/0");
  }

  @EachSetting
  void onlyNettyKeepsWhatItsInitialisersMake(Setting setting) throws Exception {
    FlowsFile flows =
        FlowCases.flows(setting, "include=org.buftrail.it.netty", directory, NettyNamed.class);
    assertThat(flows.summaries())
        .containsExactly("UnpooledByteBufAllocator.directBuffer > NettyNamed.<clinit> 0/0/1");
  }
}
