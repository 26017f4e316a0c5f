package org.buftrail.web;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.PooledByteBufAllocator;
import io.netty.util.IllegalReferenceCountException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/**
 * Brings its buffers into the state that it is asked for, says so, and ends when its standard input
 * does.
 */
final class PageStates {
  private static final List<ByteBuf> KEPT = new ArrayList<>();

  private PageStates() {}

  public static void main(String[] states) throws IOException, InterruptedException {
    for (int i = 0; i < 11; i++) {
      allocate(100).release();
    }
    for (String state : states) {
      switch (state) {
        case "leak" -> leak();
        case "suspect" -> suspect();
        case "misuse" -> misuse();
        case "pinned" -> pin();
        default -> {}
      }
    }
    System.out.println("ready");
    while (System.in.read() >= 0) {}
    if (KEPT.size() > 1_000) {
      System.out.println("never");
    }
  }

  private static ByteBuf allocate(int bytes) {
    return PooledByteBufAllocator.DEFAULT.directBuffer(bytes, bytes);
  }

  private static void leak() throws InterruptedException {
    for (int i = 0; i < 13; i++) {
      lose(allocate(64));
    }
    // A thread keeps its young buffers for some seconds.
    for (int i = 0; i < 10; i++) {
      Thread.sleep(700);
      System.gc();
    }
  }

  private static void lose(ByteBuf buffer) {
    buffer.writeByte(1);
  }

  /** One after the other, over more than ten seconds. */
  private static void suspect() throws InterruptedException {
    for (int i = 0; i < 37; i++) {
      keep(allocate(256));
      Thread.sleep(320);
    }
  }

  private static void keep(ByteBuf buffer) {
    KEPT.add(buffer);
  }

  /** Of 64 MiB in chunks, 40 buffers of 16 KiB stay. */
  private static void pin() {
    List<ByteBuf> released = new ArrayList<>();
    for (int i = 0; i < 4_000; i++) {
      ByteBuf buffer = allocate(16_384);
      if (i % 100 == 50) {
        keep(buffer);
      } else {
        released.add(buffer);
      }
    }
    released.forEach(ByteBuf::release);
  }

  private static void misuse() {
    for (int i = 0; i < 3; i++) {
      releaseTwice(allocate(16));
    }
  }

  private static void releaseTwice(ByteBuf buffer) {
    buffer.release();
    try {
      buffer.release();
    } catch (IllegalReferenceCountException e) {
      // That is what is wanted.
    }
  }
}
