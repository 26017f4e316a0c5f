package org.buftrail.it.programs;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.CompositeByteBuf;
import io.netty.buffer.PooledByteBufAllocator;
import io.netty.buffer.UnpooledByteBufAllocator;
import io.netty.util.concurrent.FastThreadLocalThread;
import java.util.SplittableRandom;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.atomic.LongAdder;

/**
 * Threads that are born, hand buffers to each other and die, for a while: released on either side,
 * lost now and then, sliced, in composites, from pools and not.
 */
public final class Churn {
  private static final int THREADS = 4;
  private static final int LIVES = 2_000;
  private static final LongAdder BEGUN = new LongAdder();
  private static final LongAdder LOST = new LongAdder();
  private static final BlockingQueue<ByteBuf> EXCHANGE = new ArrayBlockingQueue<>(256);

  private Churn() {}

  /**
   * Runs the program, and prints how many buffers it allocated, how many it lost, and by how many
   * KiB the heap in use grew in the last three quarters of the way.
   *
   * @param args seconds; what the threads are: {@code plain}, {@code netty} or {@code virtual}; how
   *     many buffers to allocate in place of so many seconds, or 0
   */
  public static void main(String[] args) throws Exception {
    long seconds = Long.parseLong(args[0]);
    long buffers = Long.parseLong(args[2]);
    long goal = buffers > 0 ? buffers : seconds * 1_000_000_000L;
    long start = System.nanoTime();
    long warm = 0;
    long done = 0;
    for (long seed = 0; done < goal; seed += THREADS) {
      if (warm == 0 && done > goal / 4) {
        warm = usedKiB();
      }
      Thread[] threads = new Thread[THREADS];
      for (int i = 0; i < THREADS; i++) {
        SplittableRandom random = new SplittableRandom(seed + i);
        threads[i] = thread(args[1], () -> live(random));
      }
      for (Thread thread : threads) {
        thread.join();
      }
      done = buffers > 0 ? BEGUN.sum() : System.nanoTime() - start;
    }
    for (ByteBuf buffer = EXCHANGE.poll(); buffer != null; buffer = EXCHANGE.poll()) {
      buffer.release();
    }
    long grown = usedKiB() - warm;
    System.out.print(BEGUN.sum() + " " + LOST.sum() + " " + grown);
  }

  /**
   * What is in use once the tracker has looked at everything too: it does so each second, and lets
   * go of what a ring holds at the second look.
   */
  private static long usedKiB() throws InterruptedException {
    for (int i = 0; i < 20; i++) {
      System.gc();
      Thread.sleep(200);
    }
    Runtime runtime = Runtime.getRuntime();
    return (runtime.totalMemory() - runtime.freeMemory()) >> 10;
  }

  /** Not compiled against the Java version that has virtual threads. */
  private static Thread thread(String kind, Runnable task) throws ReflectiveOperationException {
    if (kind.equals("virtual")) {
      return (Thread)
          Thread.class.getMethod("startVirtualThread", Runnable.class).invoke(null, task);
    }
    Thread thread = kind.equals("netty") ? new FastThreadLocalThread(task) : new Thread(task);
    thread.start();
    return thread;
  }

  private static void live(SplittableRandom random) {
    for (int i = 0; i < LIVES; i++) {
      ByteBuf buffer = make(random);
      BEGUN.increment();
      int fate = random.nextInt(100);
      if (fate < 60) {
        end(buffer);
      } else if (fate < 75) {
        slice(buffer);
      } else if (fate < 85) {
        compose(buffer, random);
      } else if (fate < 99 || buffer.alloc() == PooledByteBufAllocator.DEFAULT) {
        // What a pool loses it never gets back, and so it grows.
        handOver(buffer);
      } else {
        lose(buffer);
      }
    }
  }

  private static ByteBuf make(SplittableRandom random) {
    int size = 16 + random.nextInt(1_000);
    if (random.nextInt(4) == 0) {
      // Not from the pool: whether that takes another chunk of the heap is left to chance.
      return UnpooledByteBufAllocator.DEFAULT.heapBuffer(size);
    }
    ByteBufAllocator allocator =
        random.nextBoolean() ? PooledByteBufAllocator.DEFAULT : UnpooledByteBufAllocator.DEFAULT;
    return allocator.directBuffer(size);
  }

  private static void slice(ByteBuf buffer) {
    ByteBuf slice = buffer.writeLong(1).retainedSlice(0, 4);
    // A slice of a pooled buffer counts for itself.
    if (buffer.alloc() == PooledByteBufAllocator.DEFAULT) {
      BEGUN.increment();
    }
    end(buffer);
    end(slice);
  }

  private static void compose(ByteBuf buffer, SplittableRandom random) {
    CompositeByteBuf composite = PooledByteBufAllocator.DEFAULT.compositeDirectBuffer();
    composite.addComponent(true, buffer.writeLong(1));
    composite.addComponent(true, make(random).writeLong(2));
    BEGUN.add(2);
    end(composite);
  }

  private static void handOver(ByteBuf buffer) {
    if (!EXCHANGE.offer(buffer)) {
      end(buffer);
    }
    ByteBuf other = EXCHANGE.poll();
    if (other != null) {
      end(other);
    }
  }

  private static void lose(ByteBuf buffer) {
    buffer.writeByte(1);
    LOST.increment();
  }

  private static void end(ByteBuf buffer) {
    buffer.release();
  }
}
