package org.buftrail.it.programs;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.PooledByteBufAllocator;
import org.buftrail.it.allocators.DelegatingAllocator;
import org.buftrail.it.allocators.DerivedAllocator;
import org.buftrail.it.allocators.OwnAllocator;
import org.buftrail.it.allocators.SizedBuffer;

/** Asks allocators that are not Netty's for every kind of buffer. */
public final class CustomAllocators {
  private CustomAllocators() {}

  /** Runs the program. */
  public static void main(String[] args) {
    askAll(new OwnAllocator());
    askAll(new DelegatingAllocator(PooledByteBufAllocator.DEFAULT));
    askAll(new DerivedAllocator());
    takeSized(new DerivedAllocator().sized(10));
  }

  private static void askAll(ByteBufAllocator allocator) {
    take(allocator.buffer(1));
    take(allocator.ioBuffer(2));
    take(allocator.heapBuffer(3));
    take(allocator.directBuffer(4, 8));
    take(allocator.compositeHeapBuffer());
    take(allocator.compositeDirectBuffer(4));
  }

  private static void take(ByteBuf buffer) {
    buffer.release();
  }

  private static void takeSized(SizedBuffer buffer) {
    buffer.release();
  }
}
