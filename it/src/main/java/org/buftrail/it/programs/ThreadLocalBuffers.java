package org.buftrail.it.programs;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.util.concurrent.FastThreadLocalThread;

/** Takes the same buffer of a thread of Netty again and again. */
public final class ThreadLocalBuffers {
  private ThreadLocalBuffers() {}

  /** Runs the program. */
  public static void main(String[] args) throws InterruptedException {
    Thread thread = new FastThreadLocalThread(ThreadLocalBuffers::churn);
    thread.start();
    thread.join();
  }

  private static void churn() {
    for (int i = 0; i < 100; i++) {
      take(ByteBufUtil.threadLocalDirectBuffer());
    }
  }

  private static void take(ByteBuf buffer) {
    buffer.writeLong(1).release();
  }
}
