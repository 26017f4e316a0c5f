package org.buftrail.it.programs;

import java.lang.ref.PhantomReference;
import java.lang.ref.Reference;
import java.lang.ref.ReferenceQueue;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * Allocates direct buffers of the JDK in three methods: 8 of 1 MiB that are kept, 4 of 64 KiB of
 * which slices are kept, and 100 of 4 KiB that are dropped and collected. Uses no Netty.
 */
public final class DirectOwners {
  private static final List<ByteBuffer> KEPT = new ArrayList<>();

  private DirectOwners() {}

  /**
   * Runs the program.
   *
   * @param args {@code wait} for the file {@code go} before, and {@code stop} after
   */
  public static void main(String[] args) throws Exception {
    if (args.length > 0) {
      Files.writeString(Path.of("ready"), "");
      await("go");
    }
    keepWhole();
    keepSlices();
    drop();
    // The second comes after all of the first, and that is what the first collection found.
    collect();
    collect();
    if (args.length > 0) {
      Files.writeString(Path.of("done"), "");
      await("stop");
    }
  }

  private static void await(String file) throws InterruptedException {
    while (!Files.exists(Path.of(file))) {
      Thread.sleep(10);
    }
  }

  private static void keepWhole() {
    for (int i = 0; i < 8; i++) {
      KEPT.add(ByteBuffer.allocateDirect(1 << 20));
    }
  }

  private static void keepSlices() {
    for (int i = 0; i < 4; i++) {
      KEPT.add(ByteBuffer.allocateDirect(1 << 16).position(16).slice());
    }
  }

  private static void drop() {
    for (int i = 0; i < 100; i++) {
      ByteBuffer.allocateDirect(4_096).put(0, (byte) 1);
    }
  }

  private static void collect() throws InterruptedException {
    ReferenceQueue<Object> queue = new ReferenceQueue<>();
    Reference<Object> sentinel = new PhantomReference<>(new Object(), queue);
    do {
      System.gc();
    } while (queue.remove(1_000) != sentinel);
  }
}
