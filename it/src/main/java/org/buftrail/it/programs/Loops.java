package org.buftrail.it.programs;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.UnpooledByteBufAllocator;

/** Passes a buffer through the same methods again and again, as decoders do. */
public final class Loops {
  private Loops() {}

  /** Runs the program. */
  public static void main(String[] args) {
    ByteBuf buffer = UnpooledByteBufAllocator.DEFAULT.heapBuffer(64).writeZero(64);
    while (buffer.isReadable()) {
      decode(buffer);
    }
    end(buffer);
  }

  private static void decode(ByteBuf buffer) {
    header(buffer);
    body(buffer);
  }

  private static void header(ByteBuf buffer) {
    buffer.skipBytes(1);
  }

  private static void body(ByteBuf buffer) {
    buffer.skipBytes(3);
  }

  private static void end(ByteBuf buffer) {
    buffer.release();
  }
}
