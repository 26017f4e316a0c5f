package org.buftrail.flow.nursery;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.management.ManagementFactory;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.atomic.AtomicBoolean;
import org.buftrail.flow.tree.Counters;
import org.buftrail.flow.tree.CountsByNode;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.RepetitionInfo;
import org.junit.jupiter.api.Test;

/** Counts by end, in a table without a slot for each. */
class EndCountsTest {
  private final Counters shared = new Counters();

  /** The counts found with the monitor held, own and shared. */
  private Map<Integer, List<Long>> all(EndCounts... counts) {
    Map<Integer, List<Long>> found = new HashMap<>();
    CountsByNode sum =
        (end, flows, bytes) ->
            found.merge(
                end,
                List.of(flows, bytes),
                (a, b) -> List.of(a.get(0) + b.get(0), a.get(1) + b.get(1)));
    synchronized (shared) {
      shared.forEach(sum);
      for (EndCounts each : counts) {
        each.forEach(sum);
      }
    }
    return found;
  }

  @RepeatedTest(200)
  void whatIsCountedIsFoundHoweverManyEndsThereAre(RepetitionInfo seed) {
    Random random = new Random(seed.getCurrentRepetition());
    int[] ends = random.ints(random.nextInt(2_001), 1, 2 + random.nextInt(300)).toArray();
    EndCounts counts = new EndCounts(shared, 64);
    Map<Integer, List<Long>> expected = all();
    for (int end : ends) {
      counts.add(end, end * 3);
      expected.merge(
          end, List.of(1L, 3L * end), (a, b) -> List.of(a.get(0) + 1, a.get(1) + b.get(1)));
    }
    assertThat(all(counts)).isEqualTo(expected);
    synchronized (shared) {
      counts.retire();
    }
    assertThat(all(counts)).isEqualTo(expected);
    assertThat(all()).isEqualTo(expected);
  }

  @Test
  void aFlowOfTheLargestSizeIsCountedWhereItsSlotIsTaken() {
    EndCounts counts = new EndCounts(shared, 32);
    for (int i = 0; i < 3 * EndCounts.NOTES; i++) {
      counts.add(1, 0);
      counts.add(33, Integer.MAX_VALUE);
    }
    long flows = 3L * EndCounts.NOTES;
    assertThat(all(counts))
        .isEqualTo(Map.of(1, List.of(flows, 0L), 33, List.of(flows, flows * Integer.MAX_VALUE)));
  }

  @Test
  void nothingIsSpilledOnceThereAreSlotsForAll() {
    EndCounts counts = new EndCounts(shared);
    countEach(counts, EndCounts.NOTES);
    Map<Integer, List<Long>> spilled = all();
    countEach(counts, 10);
    assertThat(all()).isEqualTo(spilled);
    List<Long> each = List.of(EndCounts.NOTES + 10L, EndCounts.NOTES + 10L);
    assertThat(all(counts).values()).containsOnly(each).hasSize(EndCounts.MAX_SIZE);
  }

  private static void countEach(EndCounts counts, int times) {
    for (int i = 0; i < times; i++) {
      for (int end = 1; end <= EndCounts.MAX_SIZE; end++) {
        counts.add(end, 1);
      }
    }
  }

  @Test
  void spillingMakesNoGarbage() {
    EndCounts counts = new EndCounts(shared, 64);
    Runnable work =
        () -> {
          for (int end = 1; end <= 10_000; end++) {
            counts.add(end, 1);
          }
        };
    for (int i = 0; i < 20; i++) {
      work.run();
    }
    com.sun.management.ThreadMXBean threads =
        (com.sun.management.ThreadMXBean) ManagementFactory.getThreadMXBean();
    long id = Thread.currentThread().getId();
    long before = threads.getThreadAllocatedBytes(id);
    for (int i = 0; i < 50; i++) {
      work.run();
    }
    assertThat(threads.getThreadAllocatedBytes(id) - before).isLessThan(500_000 / 8);
    assertThat(all(counts).values()).containsOnly(List.of(70L, 70L)).hasSize(10_000);
  }

  @Test
  void whoReadsMissesNothingAndCountsNothingTwice() throws Exception {
    EndCounts[] counts = {new EndCounts(shared, 32), new EndCounts(shared, 32)};
    int rounds = 300_000;
    AtomicBoolean over = new AtomicBoolean();
    Thread[] owners = new Thread[counts.length];
    for (int t = 0; t < owners.length; t++) {
      EndCounts mine = counts[t];
      Random random = new Random(t);
      owners[t] =
          new Thread(
              () -> {
                for (int i = 0; i < rounds; i++) {
                  mine.add(1, 1);
                  mine.add(2 + random.nextInt(1_000), 7);
                }
              });
    }
    long[] last = new long[1_002];
    Thread reader =
        new Thread(
            () -> {
              while (!over.get()) {
                Map<Integer, List<Long>> found = all(counts);
                for (int end = 1; end < last.length; end++) {
                  long flows = found.getOrDefault(end, List.of(0L, 0L)).get(0);
                  if (flows < last[end]) {
                    last[end] = Long.MAX_VALUE;
                  } else if (last[end] != Long.MAX_VALUE) {
                    last[end] = flows;
                  }
                }
              }
            });
    reader.start();
    for (Thread owner : owners) {
      owner.start();
    }
    for (Thread owner : owners) {
      owner.join();
    }
    over.set(true);
    reader.join();
    Map<Integer, List<Long>> found = all(counts);
    assertThat(last).as("a count that fell").doesNotContain(Long.MAX_VALUE);
    assertThat(found.get(1)).isEqualTo(List.of(2L * rounds, 2L * rounds));
    assertThat(found.values().stream().mapToLong(f -> f.get(0)).sum()).isEqualTo(4L * rounds);
    for (int end = 1; end < last.length; end++) {
      assertThat(last[end]).isLessThanOrEqualTo(found.getOrDefault(end, List.of(0L)).get(0));
    }
  }
}
