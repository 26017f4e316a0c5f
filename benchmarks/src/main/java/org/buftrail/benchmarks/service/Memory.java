package org.buftrail.benchmarks.service;

import io.netty.buffer.AdaptiveByteBufAllocator;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.PooledByteBufAllocator;
import io.netty.buffer.UnpooledByteBufAllocator;

/** Where the buffers of a benchmark come from. */
public enum Memory {
  /** On the heap, unpooled. */
  HEAP(UnpooledByteBufAllocator.DEFAULT),
  /** Direct, of Netty 4.1's default pool. */
  POOLED(PooledByteBufAllocator.DEFAULT),
  /** Direct, of Netty 4.2's default pool. */
  ADAPTIVE(new AdaptiveByteBufAllocator());

  private static final int SIZE = 256;

  @SuppressWarnings("ImmutableEnumChecker") // stateless to its users
  private final ByteBufAllocator allocator;

  Memory(ByteBufAllocator allocator) {
    this.allocator = allocator;
  }

  ByteBuf allocate() {
    return this == HEAP ? allocator.heapBuffer(SIZE) : allocator.directBuffer(SIZE);
  }
}
