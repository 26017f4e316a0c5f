package org.buftrail.flow.base;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.buftrail.model.TrackerStatus;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
final class ServiceThreadTest {
  private static final String NAME = "buftrail-test";

  private final BlockingQueue<Throwable> toThrow = new LinkedBlockingQueue<>();
  private final BlockingQueue<Thread> threads = new LinkedBlockingQueue<>();
  private final List<ServiceThread> started = new ArrayList<>();

  /** Until they have ended: the next test looks which there are. */
  @AfterEach
  @Timeout(30)
  void endThem() {
    TrackerLog.setOut(line -> {});
    started.forEach(ServiceThread::end);
    while (!status().isEmpty()) {
      Thread.onSpinWait();
    }
  }

  /** Notes its thread, then throws what it is told to. */
  private ServiceThread start() {
    ServiceThread service =
        ServiceThread.start(
            NAME,
            () -> {
              threads.add(Thread.currentThread());
              Throwable thrown = toThrow.take();
              if (thrown instanceof Done) {
                return ServiceThread.Outcome.DONE;
              }
              throw thrown;
            });
    started.add(service);
    return service;
  }

  /** In place of something thrown: the round ends well. */
  private static final class Done extends Exception {
    private static final long serialVersionUID = 1;
  }

  private Thread nextRound() throws InterruptedException {
    Thread thread = threads.poll(30, TimeUnit.SECONDS);
    assertThat(thread).isNotNull();
    return thread;
  }

  @Test
  void outlivesWhateverItsWorkThrows() throws InterruptedException {
    ServiceThread service = start();
    Thread first = nextRound();
    List<Throwable> all =
        List.of(
            new OutOfMemoryError("Java heap space"),
            new StackOverflowError(),
            new NoClassDefFoundError("org/example/Gone"),
            new ThreadDeath(),
            new IllegalStateException("two\nlines"));
    for (Throwable each : all) {
      toThrow.add(each);
      assertThat(nextRound()).isSameAs(first);
    }
    toThrow.add(new Done());
    assertThat(nextRound()).isSameAs(first);
    TrackerStatus.ThreadHealth health = service.health();
    assertThat(health.name()).isEqualTo(NAME);
    assertThat(health.failures()).isEqualTo(all.size());
    assertThat(health.rounds()).isEqualTo(1);
    assertThat(health.lastRoundMillis()).isPositive();
    assertThat(health.lastFailure()).isEqualTo("java.lang.IllegalStateException: two lines");
    assertThat(status()).hasSize(1);
  }

  @Test
  void theFirstRoundThatFailedIsLoggedAndOfOthersTheLastIsTold() throws InterruptedException {
    List<String> log = new CopyOnWriteArrayList<>();
    TrackerLog.setOut(log::add);
    ServiceThread service = start();
    nextRound();
    service.failed(new IllegalStateException("a part of it"));
    toThrow.add(new Done());
    nextRound();
    assertThat(service.health().lastFailure()).endsWith("a part of it");
    assertThat(log).isEmpty();
    for (String message : List.of("first", "second", "third")) {
      toThrow.add(new IllegalStateException(message));
      nextRound();
      assertThat(service.health().lastFailure()).endsWith(message);
    }
    assertThat(log)
        .containsExactly(NAME + " failed, and goes on: java.lang.IllegalStateException: first");
  }

  /** It may hold on to classes of the application. */
  @Test
  void whatWasThrownIsNotKept() throws InterruptedException {
    start();
    nextRound();
    WeakReference<Throwable> thrown = throwOne();
    nextRound();
    while (thrown.get() != null) {
      System.gc();
    }
  }

  private WeakReference<Throwable> throwOne() {
    Throwable error = new IllegalStateException("held by nobody");
    toThrow.add(error);
    return new WeakReference<>(error);
  }

  @Test
  void aRoundThatFindsNothingIsNotCountedAndNotTheLast() throws InterruptedException {
    ServiceThread service =
        ServiceThread.start(
            NAME,
            () -> {
              threads.add(Thread.currentThread());
              toThrow.take();
              return ServiceThread.Outcome.NOTHING;
            });
    started.add(service);
    Thread first = nextRound();
    toThrow.add(new Done());
    assertThat(nextRound()).isSameAs(first);
    assertThat(service.health().rounds()).isZero();
  }

  @Test
  void whoIsWokenLooksForWorkAtOnce() throws InterruptedException {
    ServiceThread service =
        ServiceThread.start(
            NAME,
            () -> {
              threads.add(Thread.currentThread());
              LockSupport.park();
              return ServiceThread.Outcome.DONE;
            });
    started.add(service);
    Thread first = nextRound();
    service.wake();
    assertThat(nextRound()).isSameAs(first);
  }

  @Test
  void whoEndsItselfIsNotInterrupted() throws InterruptedException {
    BlockingQueue<ServiceThread> own = new LinkedBlockingQueue<>();
    BlockingQueue<Boolean> interrupted = new LinkedBlockingQueue<>();
    own.add(
        ServiceThread.start(
            NAME,
            () -> {
              ServiceThread service = own.take();
              service.end();
              interrupted.add(Thread.currentThread().isInterrupted());
              return ServiceThread.Outcome.DONE;
            }));
    assertThat(interrupted.take()).isFalse();
  }

  @Test
  void anInterruptIsNoFailureAndEndsNothing() throws InterruptedException {
    ServiceThread service = start();
    Thread first = nextRound();
    for (int i = 0; i < 100; i++) {
      first.interrupt();
      assertThat(nextRound()).isSameAs(first);
    }
    assertThat(service.health().failures()).isZero();
    assertThat(service.health().lastRoundMillis()).isEqualTo(TrackerStatus.ThreadHealth.NEVER);
  }

  @Test
  void belongsToTheSystemAndKeepsNothingOfWhoStartsIt() throws InterruptedException {
    InheritableThreadLocal<String> inherited = new InheritableThreadLocal<>();
    inherited.set("the application's");
    BlockingQueue<String> seen = new LinkedBlockingQueue<>();
    started.add(
        ServiceThread.start(
            NAME,
            () -> {
              seen.add(String.valueOf(inherited.get()));
              threads.add(Thread.currentThread());
              return ServiceThread.Outcome.ENDED;
            }));
    assertThat(seen.take()).isEqualTo("null");
    Thread thread = nextRound();
    assertThat(thread.isDaemon()).isTrue();
    assertThat(thread.getContextClassLoader()).isNull();
    thread.join();
    assertThat(status()).isEmpty();
  }

  @Test
  void threadsAreInTheSystemsGroup() throws InterruptedException {
    start();
    ThreadGroup group = nextRound().getThreadGroup();
    assertThat(group.getName()).isEqualTo("system");
    assertThat(group.getParent()).isNull();
  }

  /** A class of the application may fail while its message is asked for. */
  @Test
  void aFailureThatCannotTellItsMessageIsToldByItsType() throws InterruptedException {
    ServiceThread service = start();
    nextRound();
    toThrow.add(new Mute());
    nextRound();
    assertThat(service.health().lastFailure()).isEqualTo(Mute.class.getName());
  }

  private static final class Mute extends RuntimeException {
    private static final long serialVersionUID = 1;

    @Override
    public String getMessage() {
      throw new IllegalStateException("no message");
    }
  }

  @Test
  void aThreadThatDiedIsStartedAgain() throws InterruptedException {
    Thread dead = new Thread(() -> {});
    BlockingQueue<Thread> first = new LinkedBlockingQueue<>(List.of(dead));
    ServiceThread service =
        ServiceThread.start(
            NAME,
            () -> {
              threads.add(Thread.currentThread());
              throw toThrow.take();
            },
            (run, name) -> first.isEmpty() ? ServiceThreads.MAKER.make(run, name) : first.remove());
    started.add(service);
    dead.join();
    service.launch();
    nextRound();
    service.launch();
    assertThat(service.health().failures()).isEqualTo(1);
    assertThat(service.health().lastFailure()).isEqualTo("the thread died and was started again");
  }

  @Test
  void aThreadThatCannotBeStartedIsStartedLater() throws InterruptedException {
    BlockingQueue<Error> errors =
        new LinkedBlockingQueue<>(List.of(new OutOfMemoryError("unable to create native thread")));
    ServiceThread service =
        ServiceThread.start(
            NAME,
            () -> {
              threads.add(Thread.currentThread());
              throw toThrow.take();
            },
            (run, name) -> {
              if (errors.isEmpty()) {
                return ServiceThreads.MAKER.make(run, name);
              }
              throw errors.remove();
            });
    started.add(service);
    assertThat(service.health().lastFailure()).contains("unable to create native thread");
    service.launch();
    nextRound();
    assertThat(service.health().failures()).isEqualTo(1);
  }

  @Test
  void endsWhenItIsTold() throws InterruptedException {
    ServiceThread service = start();
    Thread first = nextRound();
    service.end();
    first.join();
    assertThat(status()).isEmpty();
    service.launch();
    assertThat(threads).isEmpty();
    assertThat(service.health().failures()).as("was not started again").isZero();
  }

  private static List<TrackerStatus.ThreadHealth> status() {
    TrackerStatus.Builder builder = new TrackerStatus.Builder();
    ServiceThreads.addTo(builder);
    List<TrackerStatus.ThreadHealth> named = new ArrayList<>(builder.build().threads());
    named.removeIf(thread -> !thread.name().equals(NAME));
    return named;
  }
}
