package org.buftrail.it.programs;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.PooledByteBufAllocator;
import io.netty.util.IllegalReferenceCountException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * A service to look at while it runs: holds 4 buffers of 1 KiB, has leaked 5 and released 3, and
 * ends when a file {@code stop} appears. With {@code more} there, it leaks 2 on another path and
 * releases a buffer twice.
 */
public final class Operated {
  private static final List<ByteBuf> HELD = new ArrayList<>();

  private Operated() {}

  /** Runs the program. */
  public static void main(String[] args) throws IOException, InterruptedException {
    Garbage leaked = new Garbage();
    for (int i = 0; i < 12; i++) {
      handle(i, leaked);
    }
    leaked.awaitCollection();
    Files.createFile(Path.of("ready"));
    boolean more = false;
    while (!Files.exists(Path.of("stop"))) {
      Thread.sleep(50);
      if (!more && Files.exists(Path.of("more"))) {
        more = true;
        misbehave();
      }
    }
  }

  private static void handle(int number, Garbage leaked) {
    ByteBuf buffer = PooledByteBufAllocator.DEFAULT.directBuffer(1024);
    if (number < 4) {
      hold(buffer);
    } else if (number < 9) {
      forget(buffer);
      leaked.add(buffer);
    } else {
      buffer.release();
    }
  }

  private static void hold(ByteBuf buffer) {
    HELD.add(buffer);
  }

  private static void forget(ByteBuf buffer) {
    buffer.writeInt(2);
  }

  private static void misbehave() throws InterruptedException {
    Garbage leaked = new Garbage();
    for (int i = 0; i < 2; i++) {
      lose(leaked);
    }
    leaked.awaitCollection();
    ByteBuf buffer = PooledByteBufAllocator.DEFAULT.heapBuffer(64);
    buffer.release();
    try {
      buffer.release();
    } catch (IllegalReferenceCountException e) {
      // The buffers that the tracker reports.
    }
  }

  private static void lose(Garbage leaked) {
    ByteBuf buffer = PooledByteBufAllocator.DEFAULT.heapBuffer(512);
    forget(buffer);
    leaked.add(buffer);
  }
}
