package org.buftrail.it.programs;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.ByteBufAllocatorMetricProvider;
import io.netty.buffer.PooledByteBufAllocator;
import java.util.ArrayList;
import java.util.List;

/** Releases all that it allocated, and prints what the allocator still has of direct memory. */
public final class IdlePool {
  /** As a service has it. */
  private static ByteBufAllocator allocator = ByteBufAllocator.DEFAULT;

  private IdlePool() {}

  /**
   * Runs the program.
   *
   * @param args class of the allocator
   */
  public static void main(String[] args) throws Exception {
    allocator =
        args[0].equals("PooledByteBufAllocator")
            ? new PooledByteBufAllocator(true)
            : Class.forName("io.netty.buffer." + args[0])
                .asSubclass(ByteBufAllocator.class)
                .getConstructor()
                .newInstance();
    List<ByteBuf> buffers = new ArrayList<>();
    for (int i = 0; i < 1_000; i++) {
      buffers.add(allocator.directBuffer(16_384));
    }
    buffers.forEach(ByteBuf::release);
    long used = ((ByteBufAllocatorMetricProvider) allocator).metric().usedDirectMemory();
    System.out.println(used);
  }
}
