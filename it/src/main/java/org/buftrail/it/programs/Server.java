package org.buftrail.it.programs;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.PooledByteBufAllocator;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Works until a file appears, so that an agent can be attached meanwhile; every tenth buffer that
 * it makes while a second file is there leaks, and a file {@code lost} says that five have.
 */
public final class Server {
  private static final int ENOUGH = 5;

  private Server() {}

  /**
   * Runs the program.
   *
   * @param args the file that says "running", the one that lets buffers leak, the one that ends it
   */
  public static void main(String[] args) throws IOException, InterruptedException {
    Path running = Path.of(args[0]);
    Path leaking = Path.of(args[1]);
    Path stop = Path.of(args[2]);
    Path lost = Path.of("lost");
    Garbage leaked = new Garbage();
    int count = 0;
    for (int i = 0; !Files.exists(stop); i++) {
      boolean leak = i % 10 == 0 && Files.exists(leaking);
      serve(leak, leaked);
      count = leak ? count + 1 : count;
      if (count == ENOUGH) {
        Files.createFile(lost);
        count = 0;
        while (Files.exists(leaking)) {
          Thread.sleep(2);
        }
      }
      if (i == 100) {
        Files.createFile(running);
      }
      Thread.sleep(2);
    }
    leaked.awaitCollection();
    // Buffers in the map are known to be collected one collection later.
    for (int i = 0; i < 5; i++) {
      System.gc();
      Thread.sleep(300);
    }
  }

  private static void serve(boolean leak, Garbage leaked) {
    ByteBuf buffer = make();
    work(buffer.slice());
    if (leak) {
      leaked.add(buffer);
    } else {
      buffer.release();
    }
  }

  private static ByteBuf make() {
    return PooledByteBufAllocator.DEFAULT.directBuffer(128);
  }

  private static void work(ByteBuf buffer) {
    buffer.markReaderIndex();
  }
}
