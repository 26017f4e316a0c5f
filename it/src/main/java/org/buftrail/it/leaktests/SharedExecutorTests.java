package org.buftrail.it.leaktests;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ForkJoinPool;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** An executor of the class: what a test hands to it is the test's. */
class SharedExecutorTests {
  private static ExecutorService executor = ForkJoinPool.commonPool();

  @BeforeAll
  static void start() {
    executor = Executors.newFixedThreadPool(2);
  }

  @AfterAll
  static void stop() {
    executor.shutdown();
  }

  @Test
  void leakHasItAllocate() {
    CompletableFuture.runAsync(() -> Buffers.direct().writeByte(1), executor).join();
  }

  @Test
  void cleanHasItAllocateToo() {
    CompletableFuture.runAsync(() -> Buffers.direct().release(), executor).join();
  }
}
