package org.buftrail.it.allocators;

import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.UnpooledHeapByteBuf;

/** A buffer class of the application's own. */
public final class SizedBuffer extends UnpooledHeapByteBuf {
  SizedBuffer(ByteBufAllocator allocator, int initialCapacity, int maxCapacity) {
    super(allocator, initialCapacity, maxCapacity);
  }
}
