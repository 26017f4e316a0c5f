package org.buftrail.it.programs;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.UnpooledByteBufAllocator;
import java.util.Arrays;

/** Survives a full heap three times, using buffers all the while; then loses 50. */
public final class OutOfMemory {
  private static final Object[] FILL = new Object[2_000_000];
  private static final long FULL_NANOS = 1_500_000_000L;
  private static long released;

  private OutOfMemory() {}

  /** Runs the program. */
  public static void main(String[] args) throws InterruptedException {
    use(1_000);
    for (int i = 0; i < 3; i++) {
      fill();
      long end = System.nanoTime() + FULL_NANOS;
      while (System.nanoTime() < end) {
        useInFullHeap();
      }
      Arrays.fill(FILL, null);
    }
    Garbage lost = new Garbage();
    for (int i = 0; i < 50; i++) {
      lose(lost);
    }
    use(1_000);
    lost.awaitCollection();
    System.out.print(released + " " + 50);
  }

  private static void fill() {
    int used = 0;
    for (int size = 1 << 20; size > 0; size /= 4) {
      try {
        while (used < FILL.length) {
          FILL[used++] = new byte[size];
        }
      } catch (OutOfMemoryError e) {
        // Less is tried next.
      }
    }
  }

  private static void useInFullHeap() {
    try {
      use(1);
    } catch (OutOfMemoryError e) {
      Thread.onSpinWait();
    }
  }

  private static void use(int times) {
    for (int i = 0; i < times; i++) {
      ByteBuf buffer = UnpooledByteBufAllocator.DEFAULT.heapBuffer(8);
      try {
        pass(buffer);
      } finally {
        buffer.release();
        released++;
      }
    }
  }

  private static void lose(Garbage lost) {
    lost.add(pass(UnpooledByteBufAllocator.DEFAULT.heapBuffer(8)));
  }

  private static ByteBuf pass(ByteBuf buffer) {
    return buffer;
  }
}
