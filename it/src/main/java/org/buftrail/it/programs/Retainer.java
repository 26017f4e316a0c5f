package org.buftrail.it.programs;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.PooledByteBufAllocator;

/** Retains once, then thrice more, and releases as often. */
public final class Retainer {
  private Retainer() {}

  /** Runs the program. */
  public static void main(String[] args) {
    ByteBuf buffer = PooledByteBufAllocator.DEFAULT.heapBuffer(64);
    share(buffer.retain());
    shareMore(buffer.retain(3));
    for (int i = 0; i < 5; i++) {
      buffer.release();
    }
  }

  private static void share(ByteBuf buffer) {
    buffer.writeByte(1);
  }

  private static void shareMore(ByteBuf buffer) {
    buffer.writeByte(2);
  }
}
