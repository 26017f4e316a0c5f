package org.buftrail.it.programs;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.UnpooledByteBufAllocator;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;

/**
 * Fills the heap three times, for seconds each time, and survives it. Then leaks 20 buffers, makes
 * the file {@code ready}, and ends when {@code stop} is there.
 */
public final class FullHeap {
  private static final long FULL_NANOS = 4_000_000_000L;
  private static final Object[] HELD = new Object[2_000_000];
  private static final UnpooledByteBufAllocator ALLOCATOR = new UnpooledByteBufAllocator(false);

  private FullHeap() {}

  /** Runs the program. */
  public static void main(String[] args) throws IOException, InterruptedException {
    Threads.await("buftrail-watch");
    for (int i = 0; i < 3; i++) {
      fill();
      Thread.sleep(500);
    }
    for (int i = 0; i < 20; i++) {
      forget(ALLOCATOR.directBuffer(8));
    }
    Files.createFile(Path.of("ready"));
    while (!Files.exists(Path.of("stop"))) {
      System.gc();
      pass(ALLOCATOR.directBuffer(8)).release();
      Thread.sleep(200);
    }
  }

  private static void fill() {
    int i = 0;
    for (int size = 1 << 20; size > 0; size /= 4) {
      try {
        while (i < HELD.length) {
          HELD[i++] = new byte[size];
        }
      } catch (OutOfMemoryError e) {
        // A smaller one may fit.
      }
    }
    long until = System.nanoTime() + FULL_NANOS;
    while (System.nanoTime() - until < 0) {
      try {
        pass(ALLOCATOR.directBuffer(8)).release();
      } catch (OutOfMemoryError e) {
        // As meant.
      }
    }
    Arrays.fill(HELD, null);
  }

  private static ByteBuf pass(ByteBuf buffer) {
    return buffer;
  }

  private static void forget(ByteBuf buffer) {
    buffer.writeByte(1);
  }
}
