package org.buftrail.flow.tree;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.buftrail.flow.base.HeldTicks;
import org.buftrail.flow.base.Ticks;
import org.buftrail.model.ReleaseSamples;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

final class SampleStoreTest {
  private final SampleStore store = new SampleStore();

  @AfterEach
  void release() {
    HeldTicks.release();
  }

  private ReleaseSamples of(int end) {
    return Objects.requireNonNull(store.of(end, Ticks.now()));
  }

  @Test
  void keepsLifetimesAndSizesByPowersOfTwo() {
    store.add(7, 0, 0);
    store.add(7, 5_000, 256);
    store.add(7, 5_100, 255);
    ReleaseSamples samples = of(7);
    assertThat(samples.count()).isEqualTo(3);
    assertThat(samples.lifetimes(0)).isEqualTo(1);
    assertThat(samples.lifetimes(13)).isEqualTo(2);
    assertThat(samples.sizes(9)).isEqualTo(1);
    assertThat(samples.sizes(8)).isEqualTo(1);
    assertThat(samples.microsOf(50)).isEqualTo(8_192);
    assertThat(samples.microsOf(1)).isEqualTo(1);
    assertThat(samples.longestMillis()).isEqualTo(5);
  }

  @Test
  void whatIsTooMuchIsInTheLastClass() {
    store.add(1, Long.MAX_VALUE, Integer.MAX_VALUE);
    assertThat(of(1).lifetimes(ReleaseSamples.LIFETIMES - 1)).isEqualTo(1);
    assertThat(of(1).sizes(ReleaseSamples.SIZES - 1)).isEqualTo(1);
  }

  @Test
  void knowsTheLongestLifeAndTheYoungestBirth() {
    int start = Ticks.now() + 10_000;
    HeldTicks.hold(start);
    store.add(3, 1_000_000, 1);
    HeldTicks.hold(start + 200);
    store.addLong(3, 20_000_000);
    assertThat(of(3).count()).isEqualTo(1);
    assertThat(of(3).longestMillis()).isEqualTo(20_000);
    assertThat(of(3).youngestMillis()).isEqualTo(11_000);
  }

  @Test
  void endsWithoutSamplesHaveNone() {
    store.add(3, 1, 1);
    assertThat(store.of(4, 0)).isNull();
    assertThat(store.of(0, 0)).isNull();
  }

  @Test
  void itsRecordsAreBounded() {
    for (int end = 1; end <= 10_000; end++) {
      store.add(end, 1, 1);
      store.add(end, 1, 1);
    }
    assertThat(SampleStore.MAX_RECORDS).isBetween(3_900, 4_095);
    assertThat(of(SampleStore.MAX_RECORDS).count()).isEqualTo(2);
    assertThat(store.of(SampleStore.MAX_RECORDS + 1, 0)).isNull();
    assertThat(store.of(10_000, 0)).isNull();
  }

  @Test
  void anEndWhoseNumberIsTooLargeHasNone() {
    store.add(1 << 20, 1, 1);
    assertThat(store.of(1 << 20, 0)).isNull();
  }

  @Test
  void noSampleIsLostBetweenThreads() throws Exception {
    List<Thread> threads = new ArrayList<>();
    for (int i = 0; i < 4; i++) {
      Thread thread =
          new Thread(
              () -> {
                for (int n = 0; n < 10_000; n++) {
                  store.add(1 + n % 100, 1, 1);
                }
              });
      thread.start();
      threads.add(thread);
    }
    for (Thread thread : threads) {
      thread.join();
    }
    for (int end = 1; end <= 100; end++) {
      assertThat(of(end).count()).isEqualTo(400);
    }
  }
}
