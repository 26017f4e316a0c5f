package org.buftrail.it.programs;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;

/** Wraps an array, without any allocator. */
public final class Wrapped {
  private Wrapped() {}

  /** Runs the program. */
  public static void main(String[] args) {
    take(Unpooled.wrappedBuffer(new byte[24]));
  }

  private static void take(ByteBuf buffer) {
    buffer.release();
  }
}
