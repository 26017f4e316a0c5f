package org.buftrail.it.programs;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;

/**
 * Allocates with the named allocator, direct or heap, passes through three methods, releases: N
 * times.
 */
public final class PassThrough {
  private PassThrough() {}

  /** Runs the program. */
  public static void main(String[] args) throws ReflectiveOperationException {
    ByteBufAllocator allocator = Allocators.named(args[0]);
    boolean direct = args[1].equals("direct");
    int times = Integer.parseInt(args[2]);
    for (int i = 0; i < times; i++) {
      ByteBuf buffer = direct ? direct(allocator) : heap(allocator);
      first(buffer);
    }
  }

  private static ByteBuf direct(ByteBufAllocator allocator) {
    return allocator.directBuffer(256); // direct
  }

  private static ByteBuf heap(ByteBufAllocator allocator) {
    return allocator.heapBuffer(256); // heap
  }

  private static void first(ByteBuf buffer) {
    new PassThrough().second(1f, buffer, 2.0);
  }

  private void second(float before, ByteBuf buffer, double after) {
    third(buffer, before * after);
  }

  static void third(ByteBuf buffer, double number) {
    buffer.writeDouble(number).release();
  }
}
