package org.buftrail.it.programs;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.PooledByteBufAllocator;

/**
 * Leaks some pooled direct buffers, releases others on the way that they share, and waits for the
 * collector.
 */
public final class Leaker {
  private Leaker() {}

  /** Runs the program. */
  public static void main(String[] args) throws InterruptedException {
    Garbage leaked = new Garbage();
    for (int i = 0; i < 8; i++) {
      handle(i, leaked);
    }
    leaked.awaitCollection();
  }

  private static void handle(int number, Garbage leaked) {
    ByteBuf buffer = PooledByteBufAllocator.DEFAULT.directBuffer(1024);
    check(buffer);
    if (number % 8 < 5) {
      forget(buffer);
      leaked.add(buffer);
    } else {
      buffer.release();
    }
  }

  private static void check(ByteBuf buffer) {
    buffer.writeInt(1);
  }

  private static void forget(ByteBuf buffer) {
    buffer.writeInt(2);
  }
}
