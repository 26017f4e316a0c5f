package org.buftrail.it.programs;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.CompositeByteBuf;
import io.netty.buffer.Unpooled;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.FutureTask;
import java.util.concurrent.locks.LockSupport;

/**
 * Drops heap buffers without releasing them, as one may, after many small ones that it released.
 * Arguments: threads, drops of each, KiB of a buffer, how it is made.
 */
public final class Dropper {
  private static final int SMALL_ONES = 20_000;

  private Dropper() {}

  /** Runs the program. */
  public static void main(String[] args) throws Exception {
    List<FutureTask<?>> tasks = new ArrayList<>();
    for (int i = 0; i < Integer.parseInt(args[0]); i++) {
      int drops = Integer.parseInt(args[1]);
      int bytes = Integer.parseInt(args[2]) << 10;
      FutureTask<?> task = new FutureTask<>(() -> drop(drops, bytes, args[3]), null);
      tasks.add(task);
      new Thread(task).start();
    }
    for (FutureTask<?> task : tasks) {
      task.get();
    }
  }

  private static void drop(int drops, int bytes, String how) {
    for (int i = 0; i < SMALL_ONES; i++) {
      Unpooled.buffer(64).release();
    }
    for (int i = 0; i < drops; i++) {
      make(bytes, how);
      LockSupport.parkNanos(100_000);
    }
  }

  private static ByteBuf make(int bytes, String how) {
    switch (how) {
      case "wrapped":
        return Unpooled.wrappedBuffer(new byte[bytes]);
      case "part":
        return Unpooled.wrappedBuffer(new byte[bytes], 0, 16);
      case "grown":
        return Unpooled.buffer(16).writeZero(bytes);
      case "composite":
        CompositeByteBuf composite = Unpooled.compositeBuffer();
        for (int i = 0; i < 4; i++) {
          composite.addComponent(true, Unpooled.wrappedBuffer(new byte[bytes / 4]));
        }
        return composite;
      default:
        throw new IllegalArgumentException(how);
    }
  }
}
