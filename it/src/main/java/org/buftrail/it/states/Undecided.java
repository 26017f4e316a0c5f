package org.buftrail.it.states;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.PooledByteBufAllocator;

/** Loses buffers at the very end, in a JVM that collects for nobody. */
public final class Undecided {
  private final Ledger ledger = new Ledger();

  private Undecided() {}

  /** Runs the program. */
  public static void main(String[] args) throws Exception {
    new Undecided().run();
  }

  private void run() throws Exception {
    for (int i = 0; i < 7; i++) {
      lose(PooledByteBufAllocator.DEFAULT.directBuffer(512));
      ledger.flow("lose", "live", "direct", 512);
      ledger.add("undecided", 1);
    }
    ledger.show();
  }

  private static void lose(ByteBuf buffer) {
    buffer.writeByte(1);
  }
}
