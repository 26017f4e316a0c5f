package org.buftrail.flow.woven;

import static org.assertj.core.api.Assertions.assertThat;
import static org.buftrail.flow.Probe.released;

import java.util.Map;
import org.buftrail.flow.FakeBuffer;
import org.buftrail.flow.Invariants;
import org.buftrail.flow.PlainBuffers;
import org.buftrail.flow.Probe;
import org.buftrail.flow.base.Suppressed;
import org.buftrail.flow.control.FlowTracker;
import org.buftrail.flow.state.FlowState;
import org.buftrail.flow.state.TenuredFlow;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Releases that fail before they are counted. */
@ExtendWith(Probe.class)
class MissedReleasesTest {
  private final int root = Probe.root();
  private final Exhausting buffer = new Exhausting();

  @Test
  void theSweeperCountsAReleaseThatFailed() {
    buffer.reset(5).allocatedAt(root);
    releaseExhausted();
    MissedReleases.settle();
    assertEnded(1, 5);
  }

  @Test
  void soItDoesWhenTheBufferHadATenuredFlow() {
    buffer.reset(5).allocatedAt(root);
    Probe.settle();
    assertThat(FlowState.state(buffer)).isInstanceOf(TenuredFlow.class);
    releaseExhausted();
    Probe.settle();
    assertEnded(1, 5);
  }

  @Test
  void aNewLifeOfTheObjectEndsTheOneBefore() {
    buffer.reset(5).allocatedAt(root);
    releaseExhausted();
    buffer.reset(5).allocatedAt(root);
    buffer.release();
    MissedReleases.settle();
    assertEnded(2, 10);
  }

  @Test
  void aReleaseThatWasCountedIsNotCountedAgain() {
    buffer.reset(5).allocatedAt(root);
    buffer.release();
    Buffers.MISSED[0] = buffer;
    Buffers.missed = 1;
    MissedReleases.settle();
    assertEnded(1, 5);
  }

  @Test
  void whatIsKeptForEverEndsNowhere() {
    buffer.reset(5).allocatedAt(root);
    Probe.settle();
    buffer.keep();
    buffer.drop();
    Buffers.MISSED[0] = buffer;
    Buffers.missed = 1;
    MissedReleases.settle();
    assertThat(Probe.paths(root)).isEmpty();
  }

  @Test
  void aBufferWithoutAPlaceForItsStateEndsToo() {
    FlowTracker.INSTANCE.addBufferAccess(new PlainBuffers());
    FakeBuffer figures = FakeBuffer.heap(7);
    PlainBuffers.Plain plain = new PlainBuffers.Plain(figures);
    Buffers.created(plain, root);
    figures.drop();
    Buffers.MISSED[3] = plain;
    Buffers.missed = 4;
    MissedReleases.settle();
    assertEnded(1, 7);
  }

  @Test
  void aNewLifeOfItEndsTheOneBeforeToo() {
    FlowTracker.INSTANCE.addBufferAccess(new PlainBuffers());
    FakeBuffer figures = FakeBuffer.heap(7);
    PlainBuffers.Plain plain = new PlainBuffers.Plain(figures);
    Buffers.created(plain, root);
    figures.drop();
    Buffers.MISSED[2] = "another's";
    Buffers.MISSED[3] = plain;
    Buffers.missed = 4;
    figures.reset(7);
    Buffers.created(plain, root);
    figures.drop();
    Buffers.released(plain, true);
    assertThat(Buffers.MISSED[3]).isNull();
    assertThat(Buffers.MISSED[2]).isEqualTo("another's");
    MissedReleases.settle();
    assertEnded(2, 14);
  }

  @Test
  void noteOfAnotherEndsNothing() {
    buffer.reset(5).allocatedAt(root);
    FakeBuffer another = FakeBuffer.heap(1).allocatedAt(root);
    another.drop();
    Buffers.MISSED[1023] = another;
    Buffers.missed = 1;
    buffer.allocatedAt(root);
    buffer.release();
    assertThat(Buffers.MISSED[1023]).isSameAs(another);
    MissedReleases.settle();
    assertEnded(2, 6);
  }

  @Test
  void whatIsHeldWhenTheNoteIsReadGoesOn() {
    buffer.reset(5).allocatedAt(root);
    Buffers.MISSED[0] = buffer;
    Buffers.missed = 1;
    MissedReleases.settle();
    assertThat(Buffers.MISSED[0]).isNull();
    assertThat(Probe.paths(root)).containsExactlyEntriesOf(Map.of("", Probe.live(1, 5)));
    buffer.release();
  }

  @Test
  void whatWasFoundIsTold() {
    long before = FlowTracker.INSTANCE.snapshot().status().lostReleases();
    buffer.reset(5).allocatedAt(root);
    buffer.drop();
    Buffers.MISSED[0] = buffer;
    Buffers.missed = 1;
    MissedReleases.settle();
    assertThat(FlowTracker.INSTANCE.snapshot().status().lostReleases()).isEqualTo(before + 1);
  }

  @Test
  void aReleaseThatWasNeverToldOfIsNotLiveInASnapshot() {
    buffer.reset(5).allocatedAt(root);
    buffer.drop();
    assertEnded(1, 5);
  }

  private void releaseExhausted() {
    long before = Suppressed.count();
    buffer.error = new StackOverflowError();
    buffer.release();
    buffer.error = null;
    assertThat(Suppressed.count() - before).isEqualTo(1);
    Invariants.meant(1);
  }

  private void assertEnded(int count, int bytes) {
    assertThat(Probe.paths(root))
        .containsExactlyEntriesOf(Map.of("release", released(count, bytes)));
  }

  /** Fails where the tracker asks it while it counts a release. */
  private static final class Exhausting extends FakeBuffer {
    @Nullable Error error;

    Exhausting() {
      super(false);
    }

    @Override
    public int capacity() {
      if (error != null) {
        throw error;
      }
      return super.capacity();
    }
  }
}
