package org.buftrail.it.programs;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.PooledByteBufAllocator;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Works until a file appears, so that an agent can be attached meanwhile; every tenth buffer that
 * it makes while a second file is there leaks.
 */
public final class Server {
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
    Garbage leaked = new Garbage();
    for (int i = 0; !Files.exists(stop); i++) {
      serve(i % 10 == 0 && Files.exists(leaking), leaked);
      if (i == 100) {
        Files.createFile(running);
      }
      Thread.sleep(2);
    }
    leaked.awaitCollection();
    // What was collected through the map is known one collection later.
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
