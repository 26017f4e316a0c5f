package org.buftrail.it.programs;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.UnpooledByteBufAllocator;

/** 40 buffers, each through one of four methods and the four after it. */
public final class Bounded {
  private Bounded() {}

  /** Runs the program. */
  public static void main(String[] args) {
    for (int i = 0; i < 40; i++) {
      ByteBuf buffer = UnpooledByteBufAllocator.DEFAULT.heapBuffer(8);
      switch (i % 4) {
        case 0:
          north(buffer);
          break;
        case 1:
          east(buffer);
          break;
        case 2:
          south(buffer);
          break;
        default:
          west(buffer);
      }
    }
  }

  private static void north(ByteBuf buffer) {
    first(buffer);
  }

  private static void east(ByteBuf buffer) {
    first(buffer);
  }

  private static void south(ByteBuf buffer) {
    first(buffer);
  }

  private static void west(ByteBuf buffer) {
    first(buffer);
  }

  private static void first(ByteBuf buffer) {
    second(buffer);
  }

  private static void second(ByteBuf buffer) {
    third(buffer);
  }

  private static void third(ByteBuf buffer) {
    fourth(buffer);
  }

  private static void fourth(ByteBuf buffer) {
    buffer.release();
  }
}
