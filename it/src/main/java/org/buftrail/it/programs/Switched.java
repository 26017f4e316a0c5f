package org.buftrail.it.programs;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.UnpooledByteBufAllocator;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Makes buffers all the time, and holds one over each change: a file {@code swap} lets it release
 * the one held and take another, {@code stop} ends it. What it has made is in {@code made}.
 */
public final class Switched {
  private Switched() {}

  /** Runs the program. */
  public static void main(String[] args) throws IOException, InterruptedException {
    ByteBuf held = hold();
    int made = 1;
    Files.createFile(Path.of("ready"));
    while (!Files.exists(Path.of("stop"))) {
      use(UnpooledByteBufAllocator.DEFAULT.heapBuffer(16));
      made++;
      if (Files.deleteIfExists(Path.of("swap"))) {
        held.release();
        held = hold();
        made++;
      }
      Thread.sleep(1);
    }
    held.release();
    Files.writeString(Path.of("made"), Integer.toString(made));
  }

  private static ByteBuf hold() {
    return UnpooledByteBufAllocator.DEFAULT.directBuffer(32);
  }

  private static void use(ByteBuf buffer) {
    buffer.release();
  }
}
