package org.buftrail.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.buftrail.it.FlowCases.flows;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.buftrail.it.programs.CustomAllocators;
import org.buftrail.it.programs.NettyConstants;
import org.buftrail.it.programs.ThreadLocalBuffers;
import org.buftrail.it.programs.UnpooledMakers;
import org.buftrail.it.programs.Wrappers;
import org.junit.jupiter.api.io.TempDir;

/** Where lives begin: allocators of the application, and what makes buffers without one. */
final class AllocatorsIT {
  @TempDir private Path directory;

  @EachSetting
  void ownAllocatorsAreRootsAndDelegatingOnesShowWhoGaveTheBuffer(Setting setting)
      throws Exception {
    FlowsFile flows = flows(setting, directory, CustomAllocators.class);
    List<String> expected = new ArrayList<>();
    String taken = " > CustomAllocators.askAll > CustomAllocators.take > ByteBuf.release 1/0/0";
    for (String kind : List.of("heapBuffer", "heapBuffer", "directBuffer", "directBuffer")) {
      expected.add("OwnAllocator." + kind + taken);
      expected.add("DerivedAllocator." + kind + taken);
    }
    for (String kind : List.of("heapBuffer", "directBuffer", "directBuffer", "directBuffer")) {
      expected.add("PooledByteBufAllocator." + kind + taken);
    }
    for (String kind : List.of("compositeHeapBuffer", "compositeDirectBuffer")) {
      expected.add("OwnAllocator." + kind + taken);
      expected.add("DerivedAllocator." + kind + taken);
      expected.add("PooledByteBufAllocator." + kind + taken);
    }
    expected.add(
        // By a call that promises a buffer class of the application's own.
        "DerivedAllocator.heapBuffer > CustomAllocators.main > CustomAllocators.takeSized"
            + " > ByteBuf.release 1/0/0");
    assertThat(flows.summaries()).containsExactlyInAnyOrderElementsOf(expected);
    assertThat(flows.isBalanced()).isTrue();
  }

  @EachSetting
  void whatUnpooledMakesStartsThere(Setting setting) throws Exception {
    FlowsFile flows = flows(setting, directory, UnpooledMakers.class);
    String released = " > UnpooledMakers.take > ByteBuf.release 1/0/0";
    String allocated = "UnpooledByteBufAllocator.heapBuffer > UnpooledMakers.";
    assertThat(flows.summaries())
        .containsExactlyInAnyOrder(
            "Unpooled.wrappedBuffer > UnpooledMakers.arrays" + released,
            "Unpooled.wrappedBuffer > ByteBuf.release 2/0/0",
            "Unpooled.wrappedBuffer > UnpooledMakers.nioHeap" + released,
            "Unpooled.wrappedBuffer > UnpooledMakers.nioDirect" + released,
            "Unpooled.copiedBuffer > UnpooledMakers.copiedArray" + released,
            allocated + "copiedText" + released,
            allocated + "copiedBuffer" + released,
            allocated + "copiedBuffer > UnpooledMakers.copiedBuffer > ByteBuf.release 1/0/0",
            allocated + "copiedNumber" + released,
            "Unpooled.wrappedBuffer > UnpooledMakers.manyBuffers" + released,
            allocated + "manyBuffers > ByteBuf.release 1/0/0",
            allocated + "manyBuffers > ByteBuf.release 1/0/0",
            "Unpooled.wrappedUnmodifiableBuffer > UnpooledMakers.unmodifiable" + released,
            "UnpooledByteBufAllocator.directBuffer > UnpooledMakers.unmodifiable"
                + " > ByteBuf.release 1/0/0",
            "UnpooledByteBufAllocator.directBuffer > UnpooledMakers.unmodifiable"
                + " > ByteBuf.release 1/0/0",
            "Unpooled.compositeBuffer > UnpooledMakers.composite" + released,
            allocated + "composite > ByteBuf.release 1/0/0",
            allocated + "view" + released);
    assertThat(flows.total("releasedBytes"))
        .isEqualTo(3 + 4 + 5 + 6 + 7 + 5 + 8 + 8 + 4 + 10 + 11 + 12 + 13 + 14 + 15);
    assertThat(flows.isBalanced()).isTrue();
  }

  @EachSetting
  void aThreadLocalBufferLivesAgainEachTime(Setting setting) throws Exception {
    ForkedJvm.Result result =
        new ForkedJvm(directory)
            .on(setting)
            .option("-Dio.netty.threadLocalDirectBufferSize=65536")
            .agent(FlowCases.INCLUDE + ";report=flows.json")
            .run(ThreadLocalBuffers.class);
    assertThat(result.exit()).as(result.err()).isZero();
    FlowsFile flows = FlowsFile.read(directory.resolve("flows.json"));
    assertThat(flows.summaries())
        .containsExactly(
            "ByteBufUtil.threadLocalDirectBuffer > ThreadLocalBuffers.churn"
                + " > ThreadLocalBuffers.take > ByteBuf.release 100/0/0");
    assertThat(flows.isBalanced()).isTrue();
  }

  @EachSetting
  void aWrapperBelongsToTheFlowOfWhatItWraps(Setting setting) throws Exception {
    assertThat(flows(setting, directory, Wrappers.class).summaries())
        .containsExactly(
            "PooledByteBufAllocator.heapBuffer > Wrappers.main > Wrappers.own > Wrappers.swap"
                + " > Wrappers.swap_return > Wrappers.main > Wrappers.swapped > Wrappers.readOnly > Wrappers.end"
                + " > ByteBuf.release 1/0/0");
  }

  @EachSetting
  void whatNettysInitialisersKeepIsNobodysButAnEmptyBufferOfTheApplicationIs(Setting setting)
      throws Exception {
    ForkedJvm.Result result =
        new ForkedJvm(directory)
            .on(setting)
            .agent(FlowCases.INCLUDE + ";report=flows.json")
            .run(NettyConstants.class);
    assertThat(result.exit()).as(result.err()).isZero();
    assertThat(result.out()).as("classes that were initialised").isEqualTo("many");
    FlowsFile flows = FlowsFile.read(directory.resolve("flows.json"));
    assertThat(flows.summaries())
        .filteredOn(path -> !path.endsWith("/0/0"))
        .containsExactlyInAnyOrder(
            "UnpooledByteBufAllocator.heapBuffer > NettyConstants.<clinit> 0/0/1",
            "UnpooledByteBufAllocator.directBuffer > NettyConstants.lose 0/1/0");
    assertThat(flows.total("leakedBytes")).isZero();
    assertThat(flows.isBalanced()).isTrue();
  }
}
