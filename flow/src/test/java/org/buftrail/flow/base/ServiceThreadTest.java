package org.buftrail.flow.base;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
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
  }

  private static List<TrackerStatus.ThreadHealth> status() {
    TrackerStatus.Builder builder = new TrackerStatus.Builder();
    ServiceThreads.addTo(builder);
    List<TrackerStatus.ThreadHealth> named = new ArrayList<>(builder.build().threads());
    named.removeIf(thread -> !thread.name().equals(NAME));
    return named;
  }
}
