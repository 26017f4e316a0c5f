package org.buftrail.it.allocators;

import io.netty.buffer.AbstractByteBufAllocator;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.UnpooledDirectByteBuf;

/** Derives from Netty's own, and makes buffers of the application's class on the heap. */
public final class DerivedAllocator extends AbstractByteBufAllocator {
  /** Prefers the heap. */
  public DerivedAllocator() {
    super(false);
  }

  /** What {@code heapBuffer} gives, by its class. */
  public SizedBuffer sized(int capacity) {
    return (SizedBuffer) heapBuffer(capacity);
  }

  @Override
  protected ByteBuf newHeapBuffer(int initialCapacity, int maxCapacity) {
    return new SizedBuffer(this, initialCapacity, maxCapacity);
  }

  @Override
  protected ByteBuf newDirectBuffer(int initialCapacity, int maxCapacity) {
    return new UnpooledDirectByteBuf(this, initialCapacity, maxCapacity);
  }

  @Override
  public boolean isDirectBufferPooled() {
    return false;
  }
}
