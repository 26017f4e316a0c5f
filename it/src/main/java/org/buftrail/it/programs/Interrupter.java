package org.buftrail.it.programs;

import io.netty.buffer.ByteBuf;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Interrupts its thread group and every other thread of the JVM again and again for some seconds,
 * as servers that stop their workers do; then makes the file {@code ready}, and ends when {@code
 * stop} is there.
 */
public final class Interrupter {
  private static final long STORM_NANOS = 3_000_000_000L;

  private Interrupter() {}

  /** Runs the program. */
  public static void main(String[] args) throws IOException, InterruptedException {
    if (ByteBuf.class.isInterface()) {
      throw new IllegalStateException("what has the agent begin is not there");
    }
    Threads.await("buftrail-watch");
    long until = System.nanoTime() + STORM_NANOS;
    while (System.nanoTime() - until < 0) {
      Thread.currentThread().getThreadGroup().interrupt();
      for (Thread thread : Threads.all()) {
        if (thread.getName().startsWith("buftrail")) {
          thread.interrupt();
        }
      }
      if (!Thread.interrupted()) {
        throw new IllegalStateException("the group was not interrupted");
      }
      Thread.sleep(10);
    }
    Files.createFile(Path.of("ready"));
    while (!Files.exists(Path.of("stop"))) {
      Thread.sleep(50);
    }
  }
}
