package org.buftrail.it.programs;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.PooledByteBufAllocator;
import io.netty.util.concurrent.FastThreadLocalThread;

/**
 * Allocates and releases pooled buffers on a thread of Netty, where one object lives many lives.
 */
public final class Recycler {
  private Recycler() {}

  /** Runs the program. */
  public static void main(String[] args) throws InterruptedException {
    int times = Integer.parseInt(args[0]);
    Thread thread = new FastThreadLocalThread(() -> churn(times));
    thread.start();
    thread.join();
  }

  private static void churn(int times) {
    for (int i = 0; i < times; i++) {
      use(PooledByteBufAllocator.DEFAULT.directBuffer(128));
    }
  }

  private static void use(ByteBuf buffer) {
    buffer.release();
  }
}
