package org.buftrail.it.programs;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.PooledByteBufAllocator;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;

/** Allocates on one thread and releases on another. */
public final class HandOver {
  private HandOver() {}

  /** Runs the program. */
  public static void main(String[] args) throws InterruptedException {
    int times = Integer.parseInt(args[0]);
    BlockingQueue<ByteBuf> queue = new ArrayBlockingQueue<>(16);
    Thread consumer =
        new Thread(
            () -> {
              for (int i = 0; i < times; i++) {
                consume(take(queue));
              }
            });
    consumer.start();
    for (int i = 0; i < times; i++) {
      queue.put(produce());
    }
    consumer.join();
  }

  private static ByteBuf produce() {
    return PooledByteBufAllocator.DEFAULT.directBuffer(64);
  }

  private static <T> T take(BlockingQueue<T> queue) {
    try {
      return queue.take();
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  private static void consume(ByteBuf buffer) {
    buffer.release();
  }
}
