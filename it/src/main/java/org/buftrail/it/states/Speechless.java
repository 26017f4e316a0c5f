package org.buftrail.it.states;

import io.netty.buffer.AbstractByteBufAllocator;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.UnpooledHeapByteBuf;
import java.util.concurrent.atomic.AtomicLong;

/** A buffer that throws when it is asked for its reference count, and counts how often. */
final class Speechless extends UnpooledHeapByteBuf {
  private static final AtomicLong ASKED = new AtomicLong();

  /** Until then it answers. */
  static volatile boolean isAsked;

  private Speechless(ByteBufAllocator allocator, int initialCapacity, int maxCapacity) {
    super(allocator, initialCapacity, maxCapacity);
  }

  static long asked() {
    return ASKED.get();
  }

  /** An allocator of them. */
  static ByteBufAllocator allocator() {
    return new AbstractByteBufAllocator(false) {
      @Override
      protected ByteBuf newHeapBuffer(int initialCapacity, int maxCapacity) {
        return new Speechless(this, initialCapacity, maxCapacity);
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
    if (isAsked) {
      ASKED.incrementAndGet();
      throw new UnsupportedOperationException("no count today");
    }
    return super.refCnt();
  }
}
