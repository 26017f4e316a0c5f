package org.buftrail.it.programs;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.PooledByteBufAllocator;
import java.util.ArrayList;
import java.util.List;

/**
 * Keeps slices with counts of their own of some of many buffers, releases all buffers, and prints
 * how many slices it keeps.
 */
public final class PinnedBySlices {
  private static final int SIZE = 65_536;
  private static final int EVERY = 40;
  private static final List<ByteBuf> KEPT = new ArrayList<>();

  private PinnedBySlices() {}

  /**
   * Runs the program.
   *
   * @param args none
   */
  public static void main(String[] args) {
    PooledByteBufAllocator allocator = new PooledByteBufAllocator(true);
    List<ByteBuf> released = new ArrayList<>();
    for (int i = 0; i < 15 * EVERY; i++) {
      ByteBuf buffer = allocator.directBuffer(SIZE).writeZero(SIZE);
      if (i % EVERY == 3) {
        // A slice of a slice, too, and of a view of one.
        ByteBuf slice = buffer.retainedSlice(10, 1_000);
        keep((i / EVERY % 2 == 0 ? slice : slice.slice(5, 500)).retainedSlice(1, 100));
        slice.release();
      }
      released.add(buffer);
    }
    released.forEach(ByteBuf::release);
    System.out.println(KEPT.size());
  }

  private static void keep(ByteBuf slice) {
    KEPT.add(slice);
  }
}
