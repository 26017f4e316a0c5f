package org.buftrail.it.programs;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufHolder;
import io.netty.buffer.DefaultByteBufHolder;
import io.netty.buffer.UnpooledByteBufAllocator;

/** Hands a buffer on inside a holder. */
public final class Holder {
  private Holder() {}

  /** Runs the program. */
  public static void main(String[] args) {
    pass(wrap(UnpooledByteBufAllocator.DEFAULT.heapBuffer(32)));
  }

  private static ByteBufHolder wrap(ByteBuf buffer) {
    return new DefaultByteBufHolder(buffer);
  }

  private static void pass(ByteBufHolder holder) {
    holder.release();
  }
}
