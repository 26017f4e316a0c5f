package org.buftrail.it.programs;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.PooledByteBufAllocator;
import io.netty.util.IllegalReferenceCountException;
import io.netty.util.concurrent.FastThreadLocalThread;

/**
 * Releases a buffer a second time when its object is somebody else's already, until so many next
 * owners have failed.
 */
public final class Stale {
  private Stale() {}

  /**
   * Runs the program.
   *
   * @param args how many must fail; {@code here}, or {@code elsewhere} to release the second time
   *     on another thread
   */
  public static void main(String[] args) throws InterruptedException {
    int times = Integer.parseInt(args[0]);
    boolean elsewhere = args[1].equals("elsewhere");
    run(() -> fail(times, elsewhere));
  }

  private static void run(Runnable task) {
    Thread thread = new FastThreadLocalThread(task);
    thread.start();
    try {
      thread.join();
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  private static void fail(int times, boolean elsewhere) {
    int failed = 0;
    for (int i = 0; failed < times && i < 100_000; i++) {
      failed += once(elsewhere) ? 1 : 0;
    }
    System.out.print(failed + " failed");
  }

  /** Whether the object was recycled, and so its next owner failed. */
  @SuppressWarnings("ReferenceEquality") // whether it is the same object
  private static boolean once(boolean elsewhere) {
    ByteBuf stale = PooledByteBufAllocator.DEFAULT.heapBuffer(32);
    end(stale);
    ByteBuf next = PooledByteBufAllocator.DEFAULT.heapBuffer(32);
    if (next != stale) {
      next.release();
      return false;
    }
    // Nothing is thrown here: as far as Netty can tell, it is the next owner's.
    if (elsewhere) {
      run(stale::release);
    } else {
      stale.release();
    }
    try {
      use(next);
      throw new IllegalStateException("no exception");
    } catch (IllegalReferenceCountException expected) {
      return true;
    }
  }

  private static void end(ByteBuf buffer) {
    buffer.release();
  }

  private static void use(ByteBuf buffer) {
    buffer.writeByte(1);
  }
}
