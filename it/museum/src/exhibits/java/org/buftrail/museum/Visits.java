package org.buftrail.museum;

import io.netty.buffer.PooledByteBufAllocator;

/** Goes through an exhibit many times, with the mistake in a quarter of them. */
final class Visits {
  private static final int ALL = 200;

  private Visits() {}

  /** One use of the library. */
  interface Visit {
    /**
     * @param mistaken whether what leads to the fault happens
     */
    void visit(boolean mistaken) throws Exception;
  }

  static void run(Visit visit) throws Exception {
    boolean clean = Boolean.getBoolean("museum.clean");
    int mistakes = 0;
    for (int i = 0; i < ALL; i++) {
      boolean mistaken = !clean && i % 4 == 3;
      visit.visit(mistaken);
      mistakes += mistaken ? 1 : 0;
    }
    System.out.println("ledger: " + (ALL - mistakes) + " well, " + mistakes + " not");
    if (Boolean.getBoolean("museum.detector")) {
      // The detector reports what was collected when the next buffer is allocated.
      for (int i = 0; i < 5; i++) {
        System.gc();
        Thread.sleep(100);
        PooledByteBufAllocator.DEFAULT.directBuffer(16).release();
      }
    }
  }
}
