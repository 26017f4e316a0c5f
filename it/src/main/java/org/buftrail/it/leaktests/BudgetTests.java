package org.buftrail.it.leaktests;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.CompositeByteBuf;
import io.netty.buffer.PooledByteBufAllocator;
import io.netty.buffer.Unpooled;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.stream.Stream;
import org.buftrail.junit.BufferBudget;
import org.buftrail.junit.BufferUse;
import org.buftrail.junit.DetectBufferLeaks;
import org.buftrail.junit.Until;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.RepetitionInfo;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests that keep their budget to the buffer and to the byte, and twins that do not. */
@BufferBudget(peak = "1KiB", allocated = 4)
public class BudgetTests extends BudgetOfBase {
  private static final Queue<ByteBuf> KEPT = new ConcurrentLinkedQueue<>();

  private static ByteBuf direct(int bytes) {
    return PooledByteBufAllocator.DEFAULT.directBuffer(bytes);
  }

  private static void allocate(int times, int bytes) {
    List<ByteBuf> all = new ArrayList<>();
    for (int i = 0; i < times; i++) {
      all.add(direct(bytes));
    }
    all.forEach(ByteBuf::release);
  }

  @AfterEach
  void counts() {
    direct(1).release();
  }

  @Test
  void cleanOfTheClass() {
    allocate(3, 256);
  }

  @Test
  void leakOneMore() {
    allocate(4, 16);
  }

  @Test
  void cleanPeak() {
    allocate(1, 1024);
    allocate(1, 1024);
  }

  @Test
  void leakOneByteMore() {
    allocate(1, 1025);
  }

  @Test
  void leakGrown() {
    direct(16).writeBytes(new byte[1025]).release();
  }

  @Test
  @BufferBudget(allocated = 200)
  void cleanOfItsOwn() {
    allocate(199, 4096);
  }

  @Test
  @BufferBudget(allocated = 200)
  void leakOfItsOwn() {
    allocate(200, 1);
  }

  @Test
  @BufferBudget(live = 2)
  void cleanLive() {
    KEPT.add(direct(1));
    KEPT.add(direct(1));
    Unpooled.buffer(1).writeByte(1);
  }

  @Test
  @BufferBudget(live = 1)
  void leakLive() {
    KEPT.add(direct(1));
    KEPT.add(direct(1));
  }

  @Test
  @BufferBudget(live = 1)
  @DetectBufferLeaks(allowedUntil = Until.RUN)
  void leakLiveUntilTheRunEnds() {
    KEPT.add(direct(1));
    KEPT.add(direct(1));
  }

  @Test
  @BufferBudget(allocated = 1)
  @DetectBufferLeaks(allowedUntil = Until.FOREVER)
  void leakThoughNothingElseIsLookedAt() {
    direct(1).release();
  }

  /** Both threads of a pool count, and their peak is that of all. */
  @Test
  @BufferBudget(peak = "512B")
  void leakOnOtherThreads() throws Exception {
    onOtherThreads(257);
  }

  @Test
  @BufferBudget(peak = "512B", allocated = 3)
  void cleanOnOtherThreads() throws Exception {
    onOtherThreads(256);
  }

  private static void onOtherThreads(int bytes) throws Exception {
    ExecutorService pool = Executors.newFixedThreadPool(2);
    try {
      ByteBuf one = pool.submit(() -> direct(bytes)).get();
      ByteBuf other = pool.submit(() -> direct(bytes)).get();
      CompletableFuture.runAsync(one::release, pool).get();
      other.release();
    } finally {
      pool.shutdown();
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"clean", "leak"})
  void ofArguments(String name) {
    allocate(name.equals("leak") ? 4 : 3, 1);
  }

  @RepeatedTest(value = 2, name = "repetition {currentRepetition}")
  void repeated(RepetitionInfo repetition) {
    allocate(repetition.getCurrentRepetition() == 2 ? 4 : 3, 1);
  }

  /** Each by itself: not their sum. */
  @TestFactory
  Stream<DynamicTest> made() {
    return Stream.of(
        DynamicTest.dynamicTest("cleanMade", () -> allocate(4, 1)),
        DynamicTest.dynamicTest("leakMade", () -> allocate(5, 1)),
        DynamicTest.dynamicTest("cleanMadeToo", () -> allocate(4, 1)));
  }

  @Nested
  class Inner {
    @Test
    void cleanNested() {
      allocate(3, 1);
    }

    @Test
    void leakNested() {
      allocate(4, 1);
    }
  }

  @Nested
  @BufferBudget(allocated = 2)
  class OtherInner {
    @Test
    void cleanNestedWithItsOwn() {
      allocate(1, 1);
    }

    @Test
    void leakNestedWithItsOwn() {
      allocate(2, 1);
    }
  }

  @Test
  @BufferBudget
  void wrongWithoutALimit() {}

  @Test
  @BufferBudget(peak = "1MB")
  void wrongUnit() {}

  @Test
  @BufferBudget(allocated = -7)
  void wrongNumber() {}

  @Test
  void cleanCountedByHand() {
    CompositeByteBuf whole = PooledByteBufAllocator.DEFAULT.compositeBuffer();
    List<ByteBuf> open = new ArrayList<>();
    BufferUse use =
        org.buftrail.junit.Buffers.during(
            () -> {
              open.add(Buffers.written(direct(100)));
              direct(50).release();
            });
    open.forEach(ByteBuf::release);
    whole.release();
    assertEquals(2, use.allocated());
    assertEquals(150, use.allocatedBytes());
    assertEquals(1, use.released());
    assertEquals(50, use.releasedBytes());
    assertEquals(1, use.live());
    assertEquals(100, use.liveBytes());
    assertEquals(2, use.peak());
    assertEquals(150, use.peakBytes());
    assertEquals(1, use.through("Buffers.written").allocated());
    assertEquals(2, use.through("BudgetTests.direct").allocated());
  }

  /** What is left stays the test's. */
  @Test
  void leakCountedByHand() {
    org.buftrail.junit.Buffers.during(() -> direct(1));
  }

  @Test
  void cleanThrownByWhatIsCounted() {
    assertThrows(
        IOException.class,
        () ->
            org.buftrail.junit.Buffers.during(
                () -> {
                  throw new IOException();
                }));
  }
}
