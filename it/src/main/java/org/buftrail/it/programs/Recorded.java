package org.buftrail.it.programs;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import java.util.ArrayList;
import java.util.List;

/** Takes six direct buffers from Netty's default allocator, gives four back and ends. */
public final class Recorded {
  private Recorded() {}

  /** Runs the program. */
  public static void main(String[] args) {
    List<ByteBuf> kept = new ArrayList<>();
    for (int i = 0; i < 6; i++) {
      ByteBuf buffer = take();
      if (i % 3 == 0) {
        kept.add(buffer);
      } else {
        buffer.release();
      }
    }
    if (kept.size() != 2) {
      throw new AssertionError(kept);
    }
  }

  private static ByteBuf take() {
    return ByteBufAllocator.DEFAULT.directBuffer(1024);
  }
}
