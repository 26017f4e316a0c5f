package org.buftrail.it.leaktests;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.PooledByteBufAllocator;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/** What tests allocate, and who releases it later. */
final class Buffers {
  private static final ScheduledExecutorService LATER =
      new ScheduledThreadPoolExecutor(
          1,
          task -> {
            Thread thread = new Thread(task, "later");
            thread.setDaemon(true);
            return thread;
          });

  private Buffers() {}

  static ByteBuf direct() {
    return PooledByteBufAllocator.DEFAULT.directBuffer(256);
  }

  static ByteBuf heap() {
    return PooledByteBufAllocator.DEFAULT.heapBuffer(256);
  }

  /** Passes it on, so that the path has more than a place. */
  static ByteBuf written(ByteBuf buffer) {
    return buffer.writeLong(42);
  }

  static void releaseAfter(long millis, ByteBuf buffer) {
    Future<?> unused = LATER.schedule(() -> buffer.release(), millis, TimeUnit.MILLISECONDS);
  }
}
