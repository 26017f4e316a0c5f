package org.buftrail.junit;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

final class BusyThreadsTest {
  private static void await(Thread thread, Thread.State state) {
    while (thread.getState() != state) {
      Thread.onSpinWait();
    }
  }

  private static boolean isBusy(Thread thread) {
    return BusyThreads.isBusy(thread.getState(), thread.getStackTrace());
  }

  @Test
  void aThreadThatRunsOrSleepsIsBusyAndOneThatWaitsForAnotherIsNot() throws Exception {
    CountDownLatch latch = new CountDownLatch(1);
    Thread waits =
        new Thread(
            () -> {
              try {
                latch.await();
              } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
              }
            });
    waits.start();
    await(waits, Thread.State.WAITING);
    assertThat(isBusy(waits)).isFalse();
    latch.countDown();
    waits.join();
    Thread sleeps =
        new Thread(
            () -> {
              try {
                Thread.sleep(100_000);
              } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
              }
            });
    sleeps.start();
    await(sleeps, Thread.State.TIMED_WAITING);
    assertThat(isBusy(sleeps)).isTrue();
    assertThat(BusyThreads.areAny()).isTrue();
    sleeps.interrupt();
    sleeps.join();
    assertThat(isBusy(Thread.currentThread())).isTrue();
  }

  @Test
  void aWorkerWithoutATaskIsNotBusyUnlessATimerHasOne() throws Exception {
    Thread[] worker = new Thread[1];
    ExecutorService pool =
        new ThreadPoolExecutor(0, 1, 1, TimeUnit.HOURS, new LinkedBlockingQueue<>());
    pool.submit(() -> worker[0] = Thread.currentThread()).get();
    await(worker[0], Thread.State.TIMED_WAITING);
    assertThat(isBusy(worker[0])).isFalse();
    pool.shutdownNow();
    ScheduledThreadPoolExecutor timer = new ScheduledThreadPoolExecutor(1);
    timer.submit(() -> worker[0] = Thread.currentThread()).get();
    await(worker[0], Thread.State.WAITING);
    assertThat(isBusy(worker[0])).isFalse();
    assertThat(timer.schedule(() -> {}, 1, TimeUnit.HOURS).isDone()).isFalse();
    await(worker[0], Thread.State.TIMED_WAITING);
    assertThat(isBusy(worker[0])).isTrue();
    timer.shutdownNow();
  }
}
