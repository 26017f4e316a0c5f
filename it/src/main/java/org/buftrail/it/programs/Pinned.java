package org.buftrail.it.programs;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.ByteBufAllocatorMetricProvider;
import io.netty.buffer.PooledByteBufAllocator;
import java.util.ArrayList;
import java.util.List;

/**
 * Keeps a few buffers of a spike, each in another chunk, and some more in one place. Prints what
 * the allocator has then, and what it has left when the few are released too.
 */
public final class Pinned {
  private static final List<ByteBuf> FEW = new ArrayList<>();
  private static final List<ByteBuf> TOGETHER = new ArrayList<>();

  private Pinned() {}

  /**
   * Runs the program.
   *
   * @param args class of the allocator, bytes of a buffer, how many the spike has, one in how many
   *     of these is kept, {@code release} to release them
   */
  public static void main(String[] args) throws Exception {
    ByteBufAllocator allocator =
        args[0].equals("PooledByteBufAllocator")
            ? new PooledByteBufAllocator(true)
            : Class.forName("io.netty.buffer." + args[0])
                .asSubclass(ByteBufAllocator.class)
                .getConstructor()
                .newInstance();
    int size = Integer.parseInt(args[1]);
    int spike = Integer.parseInt(args[2]);
    int every = Integer.parseInt(args[3]);
    List<ByteBuf> released = new ArrayList<>();
    for (int i = 0; i < spike; i++) {
      ByteBuf buffer = allocator.directBuffer(size);
      if (i % every == every / 2) {
        keepFew(buffer);
      } else {
        released.add(buffer);
      }
    }
    for (int i = 0; i < 30; i++) {
      keepTogether(allocator.directBuffer(size));
    }
    released.forEach(ByteBuf::release);
    long before = used(allocator);
    if (args.length > 4) {
      FEW.forEach(ByteBuf::release);
    }
    System.out.println(FEW.size() + " " + before + " " + used(allocator));
  }

  private static void keepFew(ByteBuf buffer) {
    FEW.add(buffer);
  }

  private static void keepTogether(ByteBuf buffer) {
    TOGETHER.add(buffer);
  }

  private static long used(ByteBufAllocator allocator) {
    return ((ByteBufAllocatorMetricProvider) allocator).metric().usedDirectMemory();
  }
}
