package org.buftrail.it.programs;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.UnpooledByteBufAllocator;

/** Runs for some seconds, then loses five buffers, and ends as soon as they are collected. */
public final class LateLeaker {
  private LateLeaker() {}

  /** Runs the program. */
  public static void main(String[] args) throws Exception {
    Thread.sleep(4_000);
    Garbage garbage = new Garbage();
    for (int i = 0; i < 5; i++) {
      lose(garbage);
    }
    garbage.awaitCollection();
  }

  private static void lose(Garbage garbage) {
    ByteBuf buffer = UnpooledByteBufAllocator.DEFAULT.heapBuffer(100);
    garbage.add(buffer);
  }
}
