package org.buftrail.it.programs;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.PooledByteBufAllocator;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Has a class whose initialiser failed, which no JVM redefines, and works on until told to stop.
 */
public final class Unlinkable {
  private Unlinkable() {}

  /** Cannot be initialised; takes a buffer, so that it would be woven. */
  static final class Failed {
    static final int LENGTH = Path.of("no").getName(7).toString().length();

    private Failed() {}

    static void take(ByteBuf buffer) {
      buffer.writeByte(LENGTH);
    }
  }

  /** Runs the program. */
  public static void main(String[] args) throws IOException, InterruptedException {
    ByteBuf none = PooledByteBufAllocator.DEFAULT.directBuffer(16);
    try {
      Failed.take(none);
      throw new IllegalStateException("it was initialised");
    } catch (ExceptionInInitializerError e) {
      none.release();
    }
    Files.createFile(Path.of("ready"));
    while (!Files.exists(Path.of("stop"))) {
      use(PooledByteBufAllocator.DEFAULT.directBuffer(16));
      Thread.sleep(1);
    }
  }

  private static void use(ByteBuf buffer) {
    buffer.release();
  }
}
