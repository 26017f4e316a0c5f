package org.buftrail.flow.woven;

import static org.assertj.core.api.Assertions.assertThat;
import static org.buftrail.flow.Probe.live;
import static org.buftrail.flow.Probe.released;

import java.util.Map;
import org.buftrail.flow.FakeBuffer;
import org.buftrail.flow.Probe;
import org.buftrail.flow.control.FlowTracker;
import org.buftrail.flow.state.FlowState;
import org.buftrail.flow.tree.Sites;
import org.buftrail.model.Site;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Buffers of allocators that are not derived from Netty's, and of methods that know the memory. */
@ExtendWith(Probe.class)
final class GivenTest {
  private final int root = Probe.root();
  private final Allocator allocator = new Allocator();

  private static final class Allocator {}

  private static Map<String, Probe.Counts> paths(String method) {
    Site site = new Site(Allocator.class.getName(), method, "", 0, "");
    return Probe.paths(Sites.intern(site));
  }

  @Test
  void aLifeBeginsAtTheMethodThatTheMemorySays() {
    Map<String, Probe.Counts> before = paths("heapBuffer");
    FakeBuffer heap = FakeBuffer.heap(3);
    Buffers.returnedByAllocator(heap, allocator, Buffers.HEAP);
    assertThat(paths("heapBuffer")).isNotEqualTo(before).containsEntry("", live(1, 3));
    heap.release();
    FakeBuffer direct = FakeBuffer.direct(5);
    Buffers.returnedByAllocator(direct, allocator, Buffers.HEAP);
    assertThat(paths("directBuffer")).containsEntry("", live(1, 5));
    direct.release();
    FakeBuffer unknown = FakeBuffer.heap(7);
    Buffers.returnedByAllocator(unknown, allocator, Buffers.DIRECT);
    assertThat(paths("directBuffer")).as("as its name says").containsEntry("", live(1, 7));
    unknown.release();
    assertThat(paths("directBuffer")).doesNotContainKey("");
  }

  @Test
  void whatAnotherAllocatorHasBegunGoesOn() {
    FakeBuffer buffer = FakeBuffer.heap(3).allocatedAt(root);
    long before = FlowTracker.INSTANCE.snapshot().allocated();
    Buffers.returnedByAllocator(buffer, allocator, Buffers.HEAP);
    assertThat(FlowTracker.INSTANCE.snapshot().allocated()).isEqualTo(before);
    buffer.release();
    assertThat(Probe.paths(root)).containsExactlyEntriesOf(Map.of("release", released(1, 3)));
  }

  @Test
  void nothingBeginsOfNothingAndNothingWhereItIsNotWanted() {
    Buffers.returnedByAllocator(null, allocator, Buffers.HEAP);
    FakeBuffer buffer = FakeBuffer.heap(3);
    FlowTracker.INSTANCE.configure(1, true);
    Buffers.returnedByAllocator(buffer, allocator, Buffers.HEAP);
    Buffers.createdOnHeap(buffer, root);
    assertThat(FlowState.state(buffer)).isNull();
    FlowTracker.INSTANCE.configure(1, false);
    FlowTracker.INSTANCE.stop();
    Buffers.returnedByAllocator(buffer, allocator, Buffers.HEAP);
    assertThat(FlowState.state(buffer)).isNull();
  }

  @Test
  void aMethodWhoseBuffersAreInTheHeapBeginsThemAtItsSite() {
    FakeBuffer buffer = FakeBuffer.heap(3);
    Buffers.createdOnHeap(buffer, root);
    assertThat(Probe.paths(root)).containsExactlyEntriesOf(Map.of("", live(1, 3)));
    buffer.release();
  }
}
