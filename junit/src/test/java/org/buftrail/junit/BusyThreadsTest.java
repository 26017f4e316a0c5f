package org.buftrail.junit;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.ServerSocket;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

final class BusyThreadsTest {
  private static void await(Thread thread, Thread.State state) {
    while (thread.getState() != state) {
      Thread.onSpinWait();
    }
  }

  private static Activity of(Thread thread) {
    return BusyThreads.of(thread.getState(), thread.getStackTrace(), false);
  }

  private static Thread sleeper() {
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
    return sleeps;
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
    assertThat(of(waits)).isEqualTo(Activity.NONE);
    latch.countDown();
    waits.join();
    Thread sleeps = sleeper();
    assertThat(of(sleeps)).isEqualTo(Activity.ELSEWHERE);
    assertThat(BusyThreads.most(sleeps.getId())).isGreaterThanOrEqualTo(Activity.LATER);
    sleeps.interrupt();
    sleeps.join();
    assertThat(of(Thread.currentThread())).isEqualTo(Activity.NOW);
  }

  /** As an event loop of a server that several tests share. */
  @Test
  @Timeout(60)
  @EnabledOnOs(OS.LINUX)
  void nothingSaysThatAThreadThatWasThereBeforeWaitsForTheTest() throws InterruptedException {
    Thread sleeps = sleeper();
    try {
      Activity most = Activity.NOW;
      // Others of the JVM run now and then.
      while (most == Activity.NOW) {
        Thread.sleep(1);
        most = BusyThreads.most(Long.MAX_VALUE);
      }
      assertThat(most).isEqualTo(Activity.ELSEWHERE);
    } finally {
      sleeps.interrupt();
      sleeps.join();
    }
  }

  /** The JVM calls both runnable. */
  @Test
  void aThreadThatWaitsInASystemCallIsToldFromOneThatRuns() throws Exception {
    try (ServerSocket server = new ServerSocket(0)) {
      Thread accepts =
          new Thread(
              () -> {
                try {
                  server.accept();
                } catch (IOException e) {
                  // Closed.
                }
              });
      accepts.start();
      StackTraceElement[] stack = {};
      while (stack.length == 0 || !stack[0].isNativeMethod()) {
        stack = accepts.getStackTrace();
      }
      assertThat(BusyThreads.of(Thread.State.RUNNABLE, stack, true)).isEqualTo(Activity.ELSEWHERE);
      assertThat(BusyThreads.of(Thread.State.RUNNABLE, stack, false)).isEqualTo(Activity.NOW);
      StackTraceElement[] running = {new StackTraceElement("com.acme.Loop", "run", null, 1)};
      assertThat(BusyThreads.of(Thread.State.RUNNABLE, running, true)).isEqualTo(Activity.NOW);
    }
  }

  @Test
  void aWorkerWithoutATaskIsNotBusyUnlessATimerHasOne() throws Exception {
    Thread[] worker = new Thread[1];
    ExecutorService pool =
        new ThreadPoolExecutor(0, 1, 1, TimeUnit.HOURS, new LinkedBlockingQueue<>());
    pool.submit(() -> worker[0] = Thread.currentThread()).get();
    await(worker[0], Thread.State.TIMED_WAITING);
    assertThat(of(worker[0])).isEqualTo(Activity.NONE);
    pool.shutdownNow();
    ScheduledThreadPoolExecutor timer = new ScheduledThreadPoolExecutor(1);
    timer.submit(() -> worker[0] = Thread.currentThread()).get();
    await(worker[0], Thread.State.WAITING);
    assertThat(of(worker[0])).isEqualTo(Activity.NONE);
    assertThat(timer.schedule(() -> {}, 1, TimeUnit.HOURS).isDone()).isFalse();
    await(worker[0], Thread.State.TIMED_WAITING);
    assertThat(of(worker[0])).isEqualTo(Activity.ELSEWHERE);
    timer.shutdownNow();
  }
}
