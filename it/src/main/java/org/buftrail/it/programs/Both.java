package org.buftrail.it.programs;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.UnpooledByteBufAllocator;

/** Releases three heap and two direct buffers. */
public final class Both {
  private Both() {}

  /** Runs the program. */
  public static void main(String[] args) {
    for (int i = 0; i < 3; i++) {
      use(UnpooledByteBufAllocator.DEFAULT.heapBuffer(10));
    }
    for (int i = 0; i < 2; i++) {
      use(UnpooledByteBufAllocator.DEFAULT.directBuffer(10));
    }
  }

  private static void use(ByteBuf buffer) {
    buffer.release();
  }
}
