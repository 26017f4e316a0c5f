package org.buftrail.it.states;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.PooledByteBufAllocator;
import java.util.ArrayDeque;
import java.util.Deque;

/**
 * Buffers in groups of five, for an agent that follows one in five, direct ones alone, and without
 * hops. It stands still at first, when some were allocated and some released while it was switched
 * off, and when more were released after that.
 */
public final class Restrained {
  static final int GROUP = 5;

  /** What a path without hops ends in. */
  private static final String ROOT = "directBuffer";

  private static final ByteBufAllocator POOL = PooledByteBufAllocator.DEFAULT;

  private static final Deque<ByteBuf> KEPT = new ArrayDeque<>();

  private final Ledger ledger = new Ledger(new Meters());

  private Restrained() {}

  /** Runs the program. */
  public static void main(String[] args) throws Exception {
    new Restrained().run();
  }

  private void run() throws Exception {
    ledger.add("sampling", GROUP);
    ledger.add("no hops", 1);
    for (int i = 0; i < 19 * GROUP; i++) {
      POOL.directBuffer(512).release();
      ledger.flow(ROOT, "released", "direct", 512);
    }
    for (int i = 0; i < 23 * GROUP; i++) {
      KEPT.add(POOL.directBuffer(512));
      ledger.flow(ROOT, "live", "direct", 512);
    }
    for (int i = 0; i < 29 * GROUP; i++) {
      POOL.heapBuffer(512).release();
    }
    ledger.standStill();
    for (int i = 0; i < 37 * GROUP; i++) {
      POOL.directBuffer(512).release();
    }
    release(7);
    ledger.standStill();
    release(11);
    ledger.standStill();
  }

  private void release(int groups) {
    for (int i = 0; i < groups * GROUP; i++) {
      KEPT.remove().release();
      ledger.ended(ROOT, "released", "direct", 512);
    }
  }
}
