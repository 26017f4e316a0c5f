package org.buftrail.flow;

import java.util.concurrent.atomic.AtomicInteger;
import org.buftrail.flow.state.FlowState;
import org.buftrail.flow.state.TenuredFlow;
import org.buftrail.flow.state.TrackedBuffer;
import org.buftrail.flow.tree.Node;
import org.buftrail.flow.woven.Buffers;
import org.buftrail.flow.woven.Tracker;
import org.jspecify.annotations.Nullable;

/**
 * A buffer that counts its references and calls {@link Buffers} where a woven one of Netty does.
 */
public class FakeBuffer extends TrackedBuffer {
  private final AtomicInteger count = new AtomicInteger();
  private final boolean direct;
  private volatile int capacity;
  private volatile @Nullable TrackedBuffer parent;

  /** The object reported to the tracker: this, or one that has no place for its state. */
  private Object subject = this;

  private boolean needsRelease = true;
  private boolean isPooled;

  public FakeBuffer(boolean direct) {
    this.direct = direct;
  }

  public static FakeBuffer heap(int capacity) {
    return new FakeBuffer(false).reset(capacity);
  }

  public static FakeBuffer direct(int capacity) {
    return new FakeBuffer(true).reset(capacity);
  }

  /** Begins a life, as an allocator or a pool does before it returns the buffer. */
  public final FakeBuffer reset(int capacity) {
    this.capacity = capacity;
    count.set(1);
    return this;
  }

  public final FakeBuffer allocatedAt(int root) {
    Buffers.created(subject, root);
    return this;
  }

  final FakeBuffer hop(int site) {
    Buffers.hop(subject, site);
    return this;
  }

  public final FakeBuffer hop(int... sites) {
    for (int site : sites) {
      Buffers.hop(subject, site);
    }
    return this;
  }

  public final FakeBuffer retain() {
    count.incrementAndGet();
    Buffers.retained(subject);
    return this;
  }

  /** From now on a buffer with which nothing is lost. */
  public final FakeBuffer ofTheCollector() {
    needsRelease = false;
    return this;
  }

  /** From now on a buffer whose memory stays with a pool. */
  public final FakeBuffer ofAPool() {
    isPooled = true;
    return this;
  }

  /** From now on a buffer without a place for its state. */
  final FakeBuffer plain() {
    subject = new PlainBuffers.Plain(this);
    return this;
  }

  public final void keep() {
    Buffers.markedUnreleasable(subject);
  }

  public final boolean isFollowed() {
    TrackedBuffer buffer = subject == this ? this : Tracker.INSTANCE.sideTable.find(subject);
    return buffer != null
        && (FlowState.state(buffer) instanceof Node
            || FlowState.state(buffer) instanceof TenuredFlow);
  }

  /** A retain by code that is not woven. */
  public final FakeBuffer retainSilently(int references) {
    count.addAndGet(references);
    return this;
  }

  public final boolean release() {
    int now = count.decrementAndGet();
    if (now < 0) {
      throw new IllegalStateException("count " + now);
    }
    Buffers.released(subject, now == 0);
    return now == 0;
  }

  /** The half of a release that was not reported to the tracker. */
  public final void drop() {
    count.set(0);
  }

  public final void grow(int capacity) {
    this.capacity = capacity;
  }

  public final void derivedFrom(TrackedBuffer parent) {
    this.parent = parent;
  }

  @Override
  public int refCnt() {
    return count.get();
  }

  @Override
  public int capacity() {
    return capacity;
  }

  @Override
  public boolean isDirect() {
    return direct;
  }

  @Override
  public @Nullable TrackedBuffer buftrail$owner() {
    return this;
  }

  @Override
  public @Nullable TrackedBuffer buftrail$parent() {
    return parent;
  }

  @Override
  public boolean buftrail$needsRelease() {
    return needsRelease;
  }

  @Override
  public boolean buftrail$isPooled() {
    return isPooled;
  }

  @Override
  public int hashCode() {
    throw new AssertionError("reads the content of a buffer");
  }

  @Override
  public boolean equals(@Nullable Object other) {
    throw new AssertionError("reads the content of a buffer");
  }
}
