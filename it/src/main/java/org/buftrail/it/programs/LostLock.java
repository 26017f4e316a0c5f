package org.buftrail.it.programs;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.PooledByteBufAllocator;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.List;

/** Keeps a buffer, and ends a thread that has not given back the locks of the arenas. */
public final class LostLock {
  private static final List<ByteBuf> KEPT = new ArrayList<>();

  private LostLock() {}

  /**
   * Runs the program.
   *
   * @param args none
   */
  public static void main(String[] args) throws InterruptedException {
    PooledByteBufAllocator allocator = new PooledByteBufAllocator(true);
    KEPT.add(allocator.directBuffer(64));
    Thread taking = new Thread(() -> allocator.metric().directArenas().forEach(LostLock::lock));
    taking.start();
    taking.join();
  }

  private static void lock(Object arena) {
    try {
      Method lock = arena.getClass().getSuperclass().getDeclaredMethod("lock");
      lock.setAccessible(true);
      lock.invoke(arena);
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException(e);
    }
  }
}
