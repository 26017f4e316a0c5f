package org.buftrail.flow.woven;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.stream.Stream;
import org.buftrail.flow.FakeBuffer;
import org.buftrail.flow.Invariants;
import org.buftrail.flow.Probe;
import org.buftrail.flow.base.Suppressed;
import org.buftrail.flow.nursery.Nursery;
import org.buftrail.flow.state.ComponentBase;
import org.buftrail.flow.state.TrackedBuffer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** What goes wrong in what woven code calls stays there, and is counted. */
@ExtendWith(Probe.class)
final class BuffersErrorsTest {
  private static final int A = Probe.site("A");
  private static final Object ALLOCATOR = new Object();

  /** Fails wherever the tracker asks it. */
  private static final class Failing extends FakeBuffer {
    private boolean fails;
    private Error error = new LinkageError("requested");

    Failing() {
      super(true);
      reset(8);
    }

    /** From now on, with a life under way or without. */
    Failing failing() {
      fails = true;
      return this;
    }

    /** From now on, and then as where somebody stops the thread. */
    Failing stopping() {
      error = new ThreadDeath();
      return failing();
    }

    void recover() {
      fails = false;
      drop();
    }

    private void fail() {
      if (fails) {
        throw error;
      }
    }

    @Override
    public int refCnt() {
      fail();
      return super.refCnt();
    }

    @Override
    public int capacity() {
      fail();
      return super.capacity();
    }

    @Override
    public @Nullable TrackedBuffer buftrail$owner() {
      fail();
      return super.buftrail$owner();
    }

    @Override
    public @Nullable TrackedBuffer buftrail$parent() {
      fail();
      return super.buftrail$parent();
    }

    @Override
    public @Nullable Object @Nullable [] buftrail$components() {
      fail();
      return super.buftrail$components();
    }
  }

  private static final class Component extends ComponentBase {
    @Override
    public TrackedBuffer buftrail$source() {
      throw new LinkageError("requested");
    }
  }

  private static final class IllegalReferenceCountException extends RuntimeException {
    private static final long serialVersionUID = 1;
  }

  private interface Call {
    void on(Failing buffer);
  }

  private static Arguments call(String name, Call call) {
    return Arguments.of(name, call);
  }

  static Stream<Arguments> callsOnWhatWasNeverAllocated() {
    return Stream.of(
        call("allocated", buffer -> Buffers.allocated(buffer, ALLOCATOR, Buffers.DIRECT)),
        call(
            "returnedByAllocator",
            buffer -> Buffers.returnedByAllocator(buffer, ALLOCATOR, Buffers.DIRECT)),
        call("created", buffer -> Buffers.created(buffer, A)),
        call("derived", Buffers::derived),
        call("requested", buffer -> Buffers.requested(buffer, A)),
        call("hop", buffer -> Buffers.hop(buffer, A)),
        call("retained", Buffers::retained),
        call("markedUnreleasable", Buffers::markedUnreleasable),
        call(
            "misused", buffer -> Buffers.misused(new IllegalReferenceCountException(), buffer, 0)));
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("callsOnWhatWasNeverAllocated")
  void anErrorIsCountedAndNotThrown(String name, Call call) {
    Failing buffer = new Failing().failing();
    long before = Suppressed.count();
    call.on(buffer);
    long errors = Suppressed.count() - before;
    Invariants.meant(errors);
    assertThat(errors).isEqualTo(1);
    buffer.recover();
  }

  /** Java has no such call from release 20 on. */
  @ParameterizedTest(name = "{0}")
  @MethodSource("callsOnWhatWasNeverAllocated")
  void aThreadThatIsStoppedEnds(String name, Call call) {
    Failing buffer = new Failing().stopping();
    long before = Suppressed.count();
    assertThatThrownBy(() -> call.on(buffer)).isInstanceOf(ThreadDeath.class);
    assertThat(Suppressed.count()).isEqualTo(before);
    buffer.recover();
  }

  static Stream<Arguments> callsOnWhatIsLive() {
    return Stream.of(
        call("resized", Buffers::resized),
        call("merged", Buffers::merged),
        call("joined", buffer -> Buffers.joined(buffer, new Component())),
        call("componentRemoved", buffer -> Buffers.componentRemoved(ofItsOwn(buffer))),
        call("released", buffer -> Buffers.released(buffer, true)));
  }

  private static Component ofItsOwn(Failing buffer) {
    Component component = new Component();
    component.own = Nursery.position(buffer);
    return component;
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("callsOnWhatIsLive")
  void soItIsWhileALifeIsUnderWay(String name, Call call) {
    Failing buffer = new Failing();
    buffer.allocatedAt(Probe.root());
    buffer.failing();
    long before = Suppressed.count();
    call.on(buffer);
    long errors = Suppressed.count() - before;
    Invariants.meant(errors);
    assertThat(errors).isEqualTo(1);
    buffer.recover();
    Buffers.released(buffer, true);
  }
}
