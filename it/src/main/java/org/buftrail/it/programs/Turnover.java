package org.buftrail.it.programs;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.CountDownLatch;

/**
 * Some threads, each of which holds 3,000 buffers at any moment and gives back the oldest for each
 * that it takes, until a file appears. Argument: threads.
 */
public final class Turnover {
  private static final int HELD = 3_000;
  private static volatile boolean ending;

  private Turnover() {}

  /** Runs the program. */
  public static void main(String[] args) throws Exception {
    int count = Integer.parseInt(args[0]);
    CountDownLatch full = new CountDownLatch(count);
    List<Thread> threads = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      Thread thread = new Thread(() -> turnOver(full));
      thread.start();
      threads.add(thread);
    }
    full.await();
    Files.createFile(Path.of("ready"));
    for (int i = 0; i < 6_000 && !Files.exists(Path.of("stop")); i++) {
      Thread.sleep(10);
    }
    if (args.length == 1) {
      ending = true;
      for (Thread thread : threads) {
        thread.join();
      }
    }
    // Else it ends in the middle of everything.
    System.exit(0);
  }

  private static void turnOver(CountDownLatch full) {
    Deque<ByteBuf> held = new ArrayDeque<>();
    while (!ending) {
      ByteBuf next = ByteBufAllocator.DEFAULT.buffer(64);
      if (held.size() == HELD) {
        full.countDown();
        held.remove().release();
      }
      held.add(next);
    }
  }
}
