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
  private static final int WARM_UP = 30_000;
  private static final int OPERATIONS = 10_000;

  private static int checksum;

  private Workload() {}

  /** Writes a properties file: bytes for each operation by kind of buffer. */
  public static void main(String[] args) throws Exception {
    Thread thread = new FastThreadLocalThread(() -> measureAll(Path.of(args[0])));
    thread.start();
    thread.join();
  }

  private static void measureAll(Path file) {
    ByteBufAllocator adaptive = new AdaptiveByteBufAllocator();
    Properties bytes = new Properties();
    bytes.setProperty("unpooled", measure(Unpooled::buffer));
    bytes.setProperty("pooled", measure(PooledByteBufAllocator.DEFAULT::directBuffer));
    bytes.setProperty("adaptive", measure(adaptive::directBuffer));
    bytes.setProperty("checksum", String.valueOf(checksum));
    try (var out = Files.newOutputStream(file)) {
      bytes.store(out, null);
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
  }

  private static String measure(IntFunction<ByteBuf> allocator) {
    run(allocator, WARM_UP);
    ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    long id = Thread.currentThread().getId();
    long before = threads.getThreadAllocatedBytes(id);
    run(allocator, OPERATIONS);
    long after = threads.getThreadAllocatedBytes(id);
    return String.valueOf((double) (after - before) / OPERATIONS);
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
