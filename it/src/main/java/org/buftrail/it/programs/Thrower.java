package org.buftrail.it.programs;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.UnpooledByteBufAllocator;

/** Passes a buffer through a method that throws; the exception must come through as it is. */
public final class Thrower {
  private Thrower() {}

  /** Runs the program. */
  public static void main(String[] args) {
    ByteBuf buffer = UnpooledByteBufAllocator.DEFAULT.heapBuffer(8);
    try {
      fail(buffer);
    } catch (UnsupportedOperationException e) {
      System.out.print(e.getMessage());
    }
    recover(buffer);
  }

  private static ByteBuf fail(ByteBuf buffer) {
    throw new UnsupportedOperationException("as thrown " + buffer.writerIndex());
  }

  private static void recover(ByteBuf buffer) {
    buffer.release();
  }
}
