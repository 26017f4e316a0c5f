package org.buftrail.it.programs;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.PooledByteBufAllocator;
import java.util.ArrayList;
import java.util.List;

/** Takes direct memory until there is none, and survives it for a while. */
public final class Exhausted {
  private Exhausted() {}

  /** Runs the program. */
  public static void main(String[] args) throws InterruptedException {
    List<ByteBuf> held = new ArrayList<>();
    try {
      while (true) {
        held.add(PooledByteBufAllocator.DEFAULT.directBuffer(1 << 20));
      }
    } catch (OutOfMemoryError e) {
      Thread.sleep(3_000);
    }
    for (ByteBuf buffer : held) {
      buffer.release();
    }
  }
}
