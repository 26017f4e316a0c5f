package org.buftrail.it.programs;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.CompositeByteBuf;
import io.netty.buffer.PooledByteBufAllocator;
import io.netty.buffer.Unpooled;
import io.netty.buffer.UnpooledByteBufAllocator;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;

/**
 * Threads that hand buffers of all kinds to each other as fast as they can, some hundreds of them
 * under way at any moment. As many are lost as a file {@code lose} says, and {@code lost} says that
 * they are. Ends with the file {@code stop}.
 */
public final class Busy {
  private static final int THREADS = 3;
  private static final BlockingQueue<ByteBuf> EXCHANGE = new ArrayBlockingQueue<>(300);
  private static final int HELD = 250;

  private static volatile boolean stopped;

  private Busy() {}

  /** Runs the program. */
  public static void main(String[] args) throws IOException, InterruptedException {
    List<Thread> threads = new ArrayList<>();
    for (int i = 0; i < THREADS; i++) {
      Thread thread = new Thread(Busy::work);
      thread.start();
      threads.add(thread);
    }
    while (EXCHANGE.size() < HELD) {
      Thread.sleep(10);
    }
    Files.createFile(Path.of("ready"));
    Garbage garbage = new Garbage();
    while (!Files.exists(Path.of("stop"))) {
      Path lose = Path.of("lose");
      if (Files.exists(lose)) {
        for (int i = Integer.parseInt(Files.readString(lose)); i > 0; i--) {
          lose(PooledByteBufAllocator.DEFAULT.directBuffer(48), garbage);
        }
        Files.delete(lose);
        Files.createFile(Path.of("lost"));
      }
      Thread.sleep(10);
    }
    stopped = true;
    for (Thread thread : threads) {
      thread.join();
    }
    for (ByteBuf left = EXCHANGE.poll(); left != null; left = EXCHANGE.poll()) {
      left.release();
    }
    garbage.awaitCollection();
    // Buffers in the map are known to be collected one collection later.
    for (int i = 0; i < 5; i++) {
      System.gc();
      Thread.sleep(300);
    }
  }

  @SuppressWarnings("ThreadPriorityCheck") // many threads, and few processors
  private static void work() {
    for (int i = 0; !stopped; i++) {
      ByteBuf buffer = make(i % 6);
      if (!EXCHANGE.offer(buffer)) {
        end(buffer);
      }
      ByteBuf other = EXCHANGE.size() > HELD ? EXCHANGE.poll() : null;
      if (other != null) {
        end(other);
      }
      if (i % 64 == 0) {
        Thread.yield();
      }
    }
  }

  private static ByteBuf make(int kind) {
    ByteBufAllocator pool = PooledByteBufAllocator.DEFAULT;
    switch (kind) {
      case 0:
        return pool.directBuffer(64);
      case 1:
        return pool.heapBuffer(64);
      case 2:
        return UnpooledByteBufAllocator.DEFAULT.directBuffer(64);
      case 3:
        return Unpooled.buffer(64);
      case 4:
        ByteBuf whole = pool.directBuffer(64).writeLong(1);
        ByteBuf part = whole.retainedSlice(0, 4);
        whole.release();
        return part;
      default:
        CompositeByteBuf composite = pool.compositeDirectBuffer();
        return composite.addComponent(true, pool.directBuffer(64).writeLong(1));
    }
  }

  private static void end(ByteBuf buffer) {
    buffer.release();
  }

  private static void lose(ByteBuf buffer, Garbage garbage) {
    garbage.add(buffer);
  }
}
