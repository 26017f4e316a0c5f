package org.buftrail.flow.census;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Set;
import org.buftrail.flow.FakeBuffer;
import org.buftrail.flow.Probe;
import org.buftrail.flow.woven.Buffers;
import org.buftrail.flow.woven.Tracker;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Each live buffer is met once, wherever its flow stands, and no other is. */
@ExtendWith(Probe.class)
class LiveBuffersTest {
  private final int root = Probe.root();

  private long met(List<FakeBuffer> buffers) {
    Set<Object> all = Collections.newSetFromMap(new IdentityHashMap<>());
    all.addAll(buffers);
    LiveBuffers live = LiveBuffers.of(Tracker.INSTANCE.nursery);
    long met = 0;
    for (int i = 0; i < live.size(); i++) {
      if (all.contains(live.buffer(i))) {
        met++;
        assertThat(live.bytes(i)).isEqualTo(64);
        assertThat(live.isDirect(i)).isTrue();
        assertThat(live.hops(i)).hasSize(2);
        assertThat(live.hops(i).get(1).site().className()).isEqualTo("test.keep");
      }
    }
    return met;
  }

  @Test
  void youngTenuredAndPromotedOnesAreMetOnce() {
    int site = Probe.site("keep");
    List<FakeBuffer> buffers = new ArrayList<>();
    for (int i = 0; i < 3_000; i++) {
      buffers.add(FakeBuffer.direct(64).allocatedAt(root));
      buffers.get(i).hop(new int[] {site});
    }
    assertThat(met(buffers)).isEqualTo(3_000);
    Probe.settle();
    assertThat(met(buffers)).isEqualTo(3_000);
    buffers.subList(0, 1_000).forEach(FakeBuffer::release);
    assertThat(met(buffers)).isEqualTo(2_000);
    buffers.subList(1_000, 3_000).forEach(FakeBuffer::release);
    assertThat(met(buffers)).isZero();
  }

  @Test
  void derivedBufferKnowsWhatItKeepsAlive() {
    FakeBuffer parent = FakeBuffer.direct(64).allocatedAt(root);
    FakeBuffer derived = FakeBuffer.direct(64);
    derived.derivedFrom(parent);
    Buffers.derived(derived);
    assertParents(parent, derived);
    Probe.settle();
    assertParents(parent, derived);
    derived.release();
    parent.release();
  }

  private static void assertParents(FakeBuffer parent, FakeBuffer derived) {
    LiveBuffers live = LiveBuffers.of(Tracker.INSTANCE.nursery);
    int met = 0;
    for (int i = 0; i < live.size(); i++) {
      if (live.buffer(i) == derived) {
        assertThat(live.parent(i)).isSameAs(parent);
        met++;
      } else if (live.buffer(i) == parent) {
        assertThat(live.parent(i)).isNull();
        met++;
      }
    }
    assertThat(met).isEqualTo(2);
    assertThat(LiveBuffers.asMade(parent)).isSameAs(parent);
  }
}
