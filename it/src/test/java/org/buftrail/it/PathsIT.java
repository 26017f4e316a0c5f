package org.buftrail.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.buftrail.it.FlowCases.flows;

import java.io.IOException;
import java.nio.file.Path;
import org.buftrail.it.FlowsFile.FlowPath;
import org.buftrail.it.programs.HandOver;
import org.buftrail.it.programs.Holder;
import org.buftrail.it.programs.PassThrough;
import org.buftrail.it.programs.Pipeline;
import org.buftrail.it.programs.Recycler;
import org.buftrail.it.programs.Retainer;
import org.buftrail.it.programs.Thrower;
import org.buftrail.it.programs.Views;
import org.buftrail.it.programs.Wrapped;
import org.junit.jupiter.api.io.TempDir;

/** Which hops a buffer takes, from its allocator to its release. */
final class PathsIT {
  @TempDir private Path directory;

  @EachSetting
  void aPooledDirectBufferThroughThreeMethods(Setting setting) throws Exception {
    passThrough(setting, "pooled", "PooledByteBufAllocator", "direct");
  }

  @EachSetting
  void aPooledHeapBufferThroughThreeMethods(Setting setting) throws Exception {
    passThrough(setting, "pooled", "PooledByteBufAllocator", "heap");
  }

  @EachSetting
  void anUnpooledDirectBufferThroughThreeMethods(Setting setting) throws Exception {
    passThrough(setting, "unpooled", "UnpooledByteBufAllocator", "direct");
  }

  @EachSetting
  void anUnpooledHeapBufferThroughThreeMethods(Setting setting) throws Exception {
    passThrough(setting, "unpooled", "UnpooledByteBufAllocator", "heap");
  }

  @EachSetting(adaptive = true)
  void anAdaptiveDirectBufferThroughThreeMethods(Setting setting) throws Exception {
    passThrough(setting, "adaptive", "AdaptiveByteBufAllocator", "direct");
  }

  @EachSetting(adaptive = true)
  void anAdaptiveHeapBufferThroughThreeMethods(Setting setting) throws Exception {
    passThrough(setting, "adaptive", "AdaptiveByteBufAllocator", "heap");
  }

  private void passThrough(Setting setting, String allocator, String root, String memory)
      throws IOException, InterruptedException {
    FlowsFile flows = flows(setting, directory, PassThrough.class, allocator, memory, "100");
    assertThat(flows.summaries())
        .containsExactly(
            root
                + "."
                + memory
                + "Buffer > PassThrough."
                + memory
                + " > PassThrough."
                + memory
                + "_return > PassThrough.main > PassThrough.first > PassThrough.second >"
                + " PassThrough.third > ByteBuf.release 100/0/0");
    FlowPath path = flows.paths().get(0);
    assertThat(path.refs()).containsExactly("1-2", "1-2", "1-2", "1-2", "1-2", "1-2", "1-2", "0");
    assertThat(path.direct()).isEqualTo(memory.equals("direct"));
    assertThat(path.releasedBytes()).isEqualTo(25_600);
    assertThat(path.lines().get(1)).isEqualTo(Sources.line(PassThrough.class, memory));
    assertThat(flows.total("allocated")).isEqualTo(100);
    assertThat(flows.isBalanced()).isTrue();
  }

  @EachSetting
  void retainIsAHopAndOnlyTheLastReleaseIs(Setting setting) throws Exception {
    FlowsFile flows = flows(setting, directory, Retainer.class);
    assertThat(flows.summaries())
        .containsExactly(
            "PooledByteBufAllocator.heapBuffer > Retainer.main > Retainer.main > Retainer.share"
                + " > Retainer.main > Retainer.shareMore > Retainer.main > Retainer.main"
                + " > ByteBuf.release 1/0/0");
    assertThat(flows.paths().get(0).refs()).startsWith("1-2", "1-2", "1-2", "1-2", "3-5", "3-5");
  }

  @EachSetting
  void aHolderCarriesItsBuffer(Setting setting) throws Exception {
    assertThat(flows(setting, directory, Holder.class).summaries())
        .containsExactly(
            "UnpooledByteBufAllocator.heapBuffer > Holder.main > Holder.wrap > Holder.wrap_return"
                + " > Holder.main > Holder.pass > ByteBuf.release 1/0/0");
  }

  @EachSetting
  void handlersKnowTheirMessagesAsObjects(Setting setting) throws Exception {
    assertThat(flows(setting, directory, Pipeline.class).summaries())
        .containsExactly(
            "UnpooledByteBufAllocator.heapBuffer > Pipeline.main > Pipeline$Inbound.channelRead >"
                + " Pipeline$Outbound.write > ByteBuf.retain > Pipeline.main > ByteBuf.release"
                + " 1/0/0");
  }

  @EachSetting
  void eachLifeOfARecycledBufferIsAFlow(Setting setting) throws Exception {
    FlowsFile flows = flows(setting, directory, Recycler.class, "5000");
    assertThat(flows.summaries())
        .containsExactly(
            "PooledByteBufAllocator.directBuffer > Recycler.churn > Recycler.use"
                + " > ByteBuf.release 5000/0/0");
    assertThat(flows.isBalanced()).isTrue();
  }

  @EachSetting
  void aFlowGoesOnInAnotherThread(Setting setting) throws Exception {
    FlowsFile flows = flows(setting, directory, HandOver.class, "5000");
    assertThat(flows.summaries())
        .containsExactly(
            "PooledByteBufAllocator.directBuffer > HandOver.produce > HandOver.produce_return"
                + " > HandOver.main > HandOver.lambda$main$0 > HandOver.consume"
                + " > ByteBuf.release 5000/0/0");
    assertThat(flows.isBalanced()).isTrue();
  }

  @EachSetting
  void anExceptionLeavesNoExitAndArrivesUnchanged(Setting setting) throws Exception {
    ForkedJvm.Result result =
        new ForkedJvm(directory)
            .on(setting)
            .agent(FlowCases.INCLUDE + ";report=flows.json")
            .run(Thrower.class);
    assertThat(result.out()).isEqualTo("as thrown 0");
    assertThat(FlowsFile.read(directory.resolve("flows.json")).summaries())
        .containsExactly(
            "UnpooledByteBufAllocator.heapBuffer > Thrower.main > Thrower.fail > Thrower.recover"
                + " > ByteBuf.release 1/0/0");
  }

  @EachSetting
  void aViewBelongsToTheFlowOfItsBuffer(Setting setting) throws Exception {
    FlowsFile flows = flows(setting, directory, Views.class);
    assertThat(flows.total("allocated")).isEqualTo(1);
    assertThat(flows.summaries())
        .containsExactly(
            "UnpooledByteBufAllocator.heapBuffer > Views.main > Views.read > Views.end"
                + " > ByteBuf.release 1/0/0");
  }

  @EachSetting
  void aWrappedArrayStartsAtTheMethodThatWrapsIt(Setting setting) throws Exception {
    FlowsFile flows = flows(setting, directory, Wrapped.class);
    assertThat(flows.summaries())
        .containsExactly(
            "Unpooled.wrappedBuffer > Wrapped.main > Wrapped.take > ByteBuf.release 1/0/0");
    assertThat(flows.paths().get(0).releasedBytes()).isEqualTo(24);
  }
}
