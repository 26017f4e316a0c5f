package org.buftrail.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.buftrail.it.FlowCases.flows;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.buftrail.it.programs.Dropping;
import org.buftrail.it.programs.DroppingLater;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Which kinds of buffers leak when they are dropped without a release, and which do not. */
final class DroppedIT {
  private static final String UNPOOLED = "UnpooledByteBufAllocator.";
  private static final String POOLED = "PooledByteBufAllocator.";

  private static final List<String> BOTH =
      List.of(
          "Unpooled.wrappedBuffer > Dropping.wrappedArray 0/0/0 dropped 1",
          "Unpooled.wrappedBuffer > Dropping.wrappedHeapNio 0/0/0 dropped 1",
          "Unpooled.wrappedBuffer > Dropping.wrappedDirectNio 0/0/0 dropped 1",
          "Unpooled.wrappedBuffer > Dropping.wrappedReadOnlyNio 0/0/0 dropped 1",
          "Unpooled.copiedBuffer > Dropping.copiedArray 0/0/0 dropped 1",
          UNPOOLED + "heapBuffer > Dropping.unpooledHeap 0/0/0 dropped 1",
          UNPOOLED
              + "heapBuffer > Dropping.retainedByMany > Dropping.retainedByMany 0/0/0 dropped 1",
          UNPOOLED + "heapBuffer > Dropping.slice > Dropping.slice 0/0/0 dropped 1",
          "Unpooled.compositeBuffer > Dropping.compositeOfWrapped 0/0/0 dropped 2",
          UNPOOLED + "directBuffer > Dropping.unpooledDirect 0/1/0",
          POOLED + "heapBuffer > Dropping.pooledHeap 0/1/0",
          POOLED + "directBuffer > Dropping.pooledDirect 0/1/0",
          POOLED + "directBuffer > Dropping.pooledSlice > Dropping.pooledSlice 0/1+1/0",
          POOLED + "compositeDirectBuffer > Dropping.compositeOfPooled 0/1+1/0 dropped 1",
          POOLED + "compositeDirectBuffer > Dropping.compositeInComposite 0/1+2/0",
          "Unpooled.wrappedUnmodifiableBuffer > Dropping.fixedCompositeOfDirect 0/1+2/0",
          "Dropping$OwnAllocation.heapBuffer > Dropping$OwnAllocation.newHeapBuffer_return"
              + " > Dropping$OwnAllocation.make_return > Dropping.ofTheApplication 0/1/0");

  @TempDir private Path directory;

  @EachSetting
  void aBufferLeaksIfItsReleaseWouldGiveSomethingBack(Setting setting) throws Exception {
    FlowsFile flows = flows(setting, directory, Dropping.class);
    assertCounted(
        flows,
        "Unpooled.wrappedUnmodifiableBuffer > Dropping.fixedCompositeOfHeap 0/0/0 dropped 1",
        UNPOOLED + "heapBuffer > Dropping.fixedCompositeOfHeap 0/0/0 dropped 1",
        UNPOOLED + "heapBuffer > Dropping.fixedCompositeOfHeap 0/0/0 dropped 1");
  }

  private static void assertCounted(FlowsFile flows, String... fixedComposite) {
    List<String> expected = new ArrayList<>(BOTH);
    expected.addAll(List.of(fixedComposite));
    assertThat(flows.summaries()).containsExactlyInAnyOrderElementsOf(expected);
    assertThat(flows.total("leaked")).isEqualTo(8);
    assertThat(flows.total("held")).isEqualTo(6);
    assertThat(flows.total("dropped")).isEqualTo(14);
    assertThat(flows.total("droppedBytes")).isEqualTo(1 + 2 + 3 + 4 + 5 + 6 + 7 + 8 + 9 + 21 + 105);
    assertThat(flows.isBalanced()).isTrue();
  }

  @EachSetting(newestNetty = true)
  void anAdaptiveBufferLeaks(Setting setting) throws Exception {
    FlowsFile flows = flows(setting, directory, Dropping.class, "adaptive");
    assertThat(flows.summaries())
        .contains(
            "AdaptiveByteBufAllocator.heapBuffer > Dropping.adaptiveHeap 0/1/0",
            "AdaptiveByteBufAllocator.directBuffer > Dropping.adaptiveDirect 0/1/0");
    assertThat(flows.isBalanced()).isTrue();
  }

  @Test
  void afterAnAttachItIsTheSame() throws Exception {
    Path file = directory.resolve("flows.json");
    List<String> line =
        List.of(
            "-Dio.netty.leakDetection.level=disabled",
            "-cp",
            Setting.newest().classPath(),
            DroppingLater.class.getName(),
            "ready",
            "attached");
    try (RunningProgram program = new RunningProgram(directory, Setting.newest().java(), line)) {
      program.await("ready");
      program.load(FlowCases.INCLUDE + ";report=" + file);
      program.create("attached");
      program.awaitEnd();
    }
    // What a fixed composite is made of moves with it here.
    assertCounted(
        FlowsFile.read(file),
        "Unpooled.wrappedUnmodifiableBuffer > Dropping.fixedCompositeOfHeap 0/0/0 dropped 3");
  }

  @EachSetting(newestNetty = true)
  void allAreLeaksIfThatIsAskedFor(Setting setting) throws Exception {
    String options = FlowCases.INCLUDE + ";dropped=leaked";
    FlowsFile flows = flows(setting, options, directory, Dropping.class);
    assertThat(flows.total("dropped")).isZero();
    assertThat(flows.summaries())
        .contains(
            "Unpooled.wrappedBuffer > Dropping.wrappedArray 0/1/0",
            "Unpooled.compositeBuffer > Dropping.compositeOfWrapped 0/1+1/0");
    assertThat(flows.isBalanced()).isTrue();
  }
}
