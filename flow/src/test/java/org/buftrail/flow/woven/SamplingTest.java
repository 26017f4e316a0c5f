package org.buftrail.flow.woven;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.Callable;
import java.util.concurrent.FutureTask;
import org.buftrail.flow.FakeBuffer;
import org.buftrail.flow.Probe;
import org.buftrail.flow.control.FlowTracker;
import org.buftrail.flow.state.FlowState;
import org.buftrail.flow.state.TrackedBuffer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Which lives are followed, and what the others leave in a buffer. */
@ExtendWith(Probe.class)
class SamplingTest {
  private static final int A = Probe.site("A");
  private static final int SAMPLING = 10;

  private final int root = Probe.root();

  /** On a thread whose ring has drawn nothing yet. */
  private static <T> T anew(Callable<T> work) throws Exception {
    FlowTracker.INSTANCE.configure(SAMPLING, false);
    FutureTask<T> task = new FutureTask<>(work);
    Thread thread = new Thread(task);
    thread.start();
    return task.get();
  }

  @Test
  void oneLifeOfTenIsFollowedHoweverManyAllocatorsDelegate() throws Exception {
    FakeBuffer buffer = new FakeBuffer(true).ofAPool();
    int followed =
        anew(
            () -> {
              int count = 0;
              for (int life = 0; life < 100 * SAMPLING; life++) {
                buffer.reset(8).allocatedAt(root).allocatedAt(root).hop(A, A);
                count += buffer.isFollowed() ? 1 : 0;
                buffer.release();
              }
              return count;
            });
    assertThat(followed).isEqualTo(100);
    assertThat(Probe.paths(root))
        .hasEntrySatisfying(
            "A release", counts -> assertThat(counts.released).isEqualTo(100 * SAMPLING));
  }

  /** Says how often a hop has asked it whose count it has, as a view is asked. */
  private static final class Asked extends FakeBuffer {
    private int asked;

    Asked() {
      super(true);
    }

    @Override
    public @Nullable TrackedBuffer buftrail$owner() {
      asked++;
      return super.buftrail$owner();
    }
  }

  @Test
  void aBufferThatIsPassedOverKeepsNothingAndIsAskedNothing() throws Exception {
    Asked buffer = new Asked();
    int asked =
        anew(
            () -> {
              buffer.reset(8).allocatedAt(root);
              while (buffer.isFollowed()) {
                buffer.release();
                buffer.reset(8).allocatedAt(root);
              }
              int before = buffer.asked;
              buffer.hop(A, A);
              Buffers.requested(buffer, A);
              return buffer.asked - before;
            });
    assertThat(asked).isZero();
    assertThat(FlowState.state(buffer)).isNull();
    buffer.release();
  }

  @Test
  void anAllocatorThatHandsABufferOutAgainAsksItNothing() throws Exception {
    Asked buffer = new Asked();
    int asked =
        anew(
            () -> {
              buffer.reset(8).allocatedAt(root).release();
              int before = buffer.asked;
              for (int life = 0; life < 3 * SAMPLING; life++) {
                buffer.reset(8);
                Buffers.allocated(buffer, this, Buffers.DIRECT);
                buffer.release();
              }
              return buffer.asked - before;
            });
    assertThat(asked).isZero();
  }

  /** Has the count of another buffer. */
  private static final class View extends FakeBuffer {
    private final TrackedBuffer owner;

    View(TrackedBuffer owner) {
      super(true);
      this.owner = owner;
    }

    @Override
    public TrackedBuffer buftrail$owner() {
      return owner;
    }
  }

  @Test
  void aWrapperIsAskedWhoseCountItHasAlsoWhenSamplingPassesOver() throws Exception {
    FakeBuffer buffer = new FakeBuffer(true).ofAPool();
    int followed =
        anew(
            () -> {
              int count = 0;
              for (int life = 0; life < 100 * SAMPLING; life++) {
                buffer.reset(8);
                View wrapper = new View(buffer);
                Buffers.allocated(buffer, this, Buffers.DIRECT);
                Buffers.allocated(wrapper, wrapper, Buffers.DIRECT);
                Buffers.requested(wrapper, A);
                count += buffer.isFollowed() ? 1 : 0;
                assertThat(FlowState.stamp(wrapper)).isZero();
                buffer.release();
              }
              return count;
            });
    assertThat(followed).isEqualTo(100);
  }
}
