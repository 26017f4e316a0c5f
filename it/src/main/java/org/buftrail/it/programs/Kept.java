package org.buftrail.it.programs;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.buffer.UnpooledByteBufAllocator;

/** Keeps one unreleasable constant, as Netty does, and releases one buffer. */
public final class Kept {
  private Kept() {}

  private static final ByteBuf CONSTANT =
      Unpooled.unreleasableBuffer(Unpooled.directBuffer(2).writeShort(0x0d0a));

  /** Runs the program. */
  public static void main(String[] args) {
    UnpooledByteBufAllocator.DEFAULT.heapBuffer(CONSTANT.readableBytes()).release();
  }
}
