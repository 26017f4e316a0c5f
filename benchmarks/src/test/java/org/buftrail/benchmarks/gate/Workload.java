package org.buftrail.benchmarks.gate;

import com.sun.management.ThreadMXBean;
import io.netty.buffer.AdaptiveByteBufAllocator;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.PooledByteBufAllocator;
import io.netty.buffer.Unpooled;
import io.netty.util.concurrent.FastThreadLocalThread;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Properties;
import java.util.function.IntFunction;

/** Allocates, hands on and releases buffers, and writes how many bytes each of them took. */
public final class Workload {
  private static final int SIZE = 256;

  /** So few that most rounds fall between two sweeps, each of which grants looks at the stack. */
  private static final int OPERATIONS = 1_000;

  private static final int ROUNDS = 50;

  private static int checksum;

  private Workload() {}

  /** Writes bytes for each operation by kind of buffer to a file, after so many to warm up. */
  public static void main(String[] args) throws InterruptedException {
    Path file = Path.of(args[0]);
    int warmUp = Integer.parseInt(args[1]);
    Thread thread = new FastThreadLocalThread(() -> measureAll(file, warmUp));
    thread.start();
    thread.join();
  }

  private static void measureAll(Path file, int warmUp) {
    ByteBufAllocator adaptive = new AdaptiveByteBufAllocator();
    Properties bytes = new Properties();
    bytes.setProperty("unpooled", measure(Unpooled::buffer, warmUp));
    bytes.setProperty("pooled", measure(PooledByteBufAllocator.DEFAULT::directBuffer, warmUp));
    bytes.setProperty("adaptive", measure(adaptive::directBuffer, warmUp));
    bytes.setProperty("checksum", String.valueOf(checksum));
    try (var out = Files.newOutputStream(file)) {
      bytes.store(out, null);
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
  }

  /** The least of some rounds: a class that loads late or a call that is linked costs one alone. */
  private static String measure(IntFunction<ByteBuf> allocator, int warmUp) {
    run(allocator, warmUp);
    ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    long id = Thread.currentThread().getId();
    long least = Long.MAX_VALUE;
    for (int i = 0; i < ROUNDS; i++) {
      long before = threads.getThreadAllocatedBytes(id);
      run(allocator, OPERATIONS);
      least = Math.min(least, threads.getThreadAllocatedBytes(id) - before);
    }
    return String.valueOf((double) least / OPERATIONS);
  }

  private static void run(IntFunction<ByteBuf> allocator, int operations) {
    for (int i = 0; i < operations; i++) {
      first(allocator.apply(SIZE));
    }
  }

  static void first(ByteBuf buffer) {
    second(buffer);
  }

  static void second(ByteBuf buffer) {
    third(buffer);
  }

  static void third(ByteBuf buffer) {
    checksum += buffer.capacity();
    buffer.release();
  }
}
