package org.buftrail.it.allocators;

import io.netty.buffer.AbstractByteBufAllocator;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.UnpooledHeapByteBuf;

/** A buffer that throws when it is asked for its reference count. */
public final class BrokenBuffer extends UnpooledHeapByteBuf {
  private BrokenBuffer(ByteBufAllocator allocator, int initialCapacity, int maxCapacity) {
    super(allocator, initialCapacity, maxCapacity);
  }

  /** An allocator of them. */
  public static ByteBufAllocator allocator() {
    return new AbstractByteBufAllocator(false) {
      @Override
      protected ByteBuf newHeapBuffer(int initialCapacity, int maxCapacity) {
        return new BrokenBuffer(this, initialCapacity, maxCapacity);
      }

      @Override
      protected ByteBuf newDirectBuffer(int initialCapacity, int maxCapacity) {
        throw new UnsupportedOperationException();
      }

      @Override
      public boolean isDirectBufferPooled() {
        return false;
      }
    };
  }

  @Override
  public int refCnt() {
    throw new UnsupportedOperationException("no count today");
  }
}
