package org.buftrail.it.leaktests;

import io.netty.buffer.PooledByteBufAllocator;
import org.junit.jupiter.api.Test;

/** What a class of tests inherits is in the budget of that class. */
class BudgetOfBase {
  @Test
  void cleanInherited() {
    allocate(3);
  }

  @Test
  void leakInherited() {
    allocate(4);
  }

  private static void allocate(int times) {
    for (int i = 0; i < times; i++) {
      PooledByteBufAllocator.DEFAULT.heapBuffer(16).release();
    }
  }
}
