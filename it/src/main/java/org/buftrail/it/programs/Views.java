package org.buftrail.it.programs;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.UnpooledByteBufAllocator;

/** Passes on slices and duplicates, which share the count of the buffer that they show. */
public final class Views {
  private Views() {}

  /** Runs the program. */
  public static void main(String[] args) {
    ByteBuf buffer = UnpooledByteBufAllocator.DEFAULT.heapBuffer(32).writeZero(32);
    read(buffer.slice(0, 16));
    read(buffer.duplicate());
    end(buffer.slice().asReadOnly());
  }

  private static void read(ByteBuf view) {
    view.getByte(0);
  }

  private static void end(ByteBuf view) {
    view.release();
  }
}
