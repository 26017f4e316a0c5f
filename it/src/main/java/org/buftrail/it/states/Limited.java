package org.buftrail.it.states;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.PooledByteBufAllocator;
import java.util.ArrayList;
import java.util.List;

/**
 * More paths than an agent has room for that may have three nodes, and then a buffer that cannot be
 * asked for its count, so often that the agent gives up.
 */
public final class Limited {
  private static final int MANY = 2_000;

  /** Until the end. */
  private static final List<ByteBuf> KEPT = new ArrayList<>();

  private final Ledger ledger = new Ledger(new Meters());

  private Limited() {}

  /** Runs the program. */
  public static void main(String[] args) throws Exception {
    new Limited().run();
  }

  private void run() throws Exception {
    for (int i = 0; i < 11; i++) {
      finish(PooledByteBufAllocator.DEFAULT.directBuffer(512));
      ledger.flow("finish", "released", "direct", 512);
    }
    for (int i = 0; i < 17; i++) {
      beyond(PooledByteBufAllocator.DEFAULT.directBuffer(512));
      ledger.flow("beyond", "released", "direct", 512);
      ledger.add("overflowed", 1);
    }
    ledger.standStill();
    ByteBuf speechless = Speechless.allocator().heapBuffer(512);
    KEPT.add(speechless);
    ledger.flow("beyond", "live", "heap", 512);
    ledger.add("overflowed", 1);
    Speechless.isAsked = true;
    for (int i = 0; i < MANY; i++) {
      pass(speechless);
    }
    ledger.add("errors", Speechless.asked());
    for (int i = 0; i < 13; i++) {
      finish(PooledByteBufAllocator.DEFAULT.directBuffer(512));
    }
    ledger.standStill();
  }

  private static void finish(ByteBuf buffer) {
    buffer.release();
  }

  private static void beyond(ByteBuf buffer) {
    buffer.release();
  }

  private static void pass(ByteBuf buffer) {
    buffer.markReaderIndex();
  }
}
