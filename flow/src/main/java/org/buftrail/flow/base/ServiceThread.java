package org.buftrail.flow.base;

import java.util.concurrent.locks.LockSupport;
import org.buftrail.model.ErrorText;
import org.buftrail.model.TrackerStatus;
import org.jspecify.annotations.Nullable;

/**
 * A daemon thread of the tracker that does its work round after round, whatever happens in one.
 *
 * <p>An error of a round is noted, and reported when there is memory for it: where an error of want
 * of memory is caught, nothing is allocated. An interrupt is not for this thread and is forgotten.
 * It belongs to the JVM's own thread group, so that an application that interrupts its group does
 * not reach it, and keeps no class loader and no thread-local values of the thread that started it.
 * Should it die all the same, {@link ServiceThreads} starts it again.
 *
 * <p>Thread-safe. All its methods return at once.
 */
public final class ServiceThread {
  /** Between a round that failed and the next, so that what fails for long takes no core. */
  private static final long PAUSE_NANOS = 100_000_000;

  private final String name;
  private final Work work;
  private final Maker maker;
  private final String goesOn;

  private volatile @Nullable Thread thread;
  private volatile boolean ended;
  private volatile long rounds;
  private volatile long lastRoundMillis = TrackerStatus.ThreadHealth.NEVER;
  private volatile long failures;

  /** An error that is not reported yet; it may hold on to classes of the application. */
  private volatile @Nullable Throwable untold;

  private volatile @Nullable String lastFailure;
  private boolean roundFailed;
  private boolean logged;

  /** What came of a round. */
  public enum Outcome {
    /** There was something to do, and it is done. */
    DONE,
    /** There was nothing to do. */
    NOTHING,
    /** There will be nothing to do any more. */
    ENDED
  }

  /** The work of a thread. */
  public interface Work {
    /**
     * Waits for something to do, and does it.
     *
     * @throws Throwable anything; an {@link InterruptedException} is no failure
     */
    Outcome round() throws Throwable;
  }

  /** Makes threads. */
  interface Maker {
    Thread make(Runnable run, String name);
  }

  private ServiceThread(String name, Work work, Maker maker) {
    this.name = name;
    this.work = work;
    this.maker = maker;
    this.goesOn = name + " failed, and goes on";
  }

  /**
   * Starts one.
   *
   * @param name of the thread
   * @param work done until it says that it has ended
   */
  public static ServiceThread start(String name, Work work) {
    return start(name, work, ServiceThreads.MAKER);
  }

  static ServiceThread start(String name, Work work, Maker maker) {
    ServiceThread service = new ServiceThread(name, work, maker);
    ServiceThreads.add(service);
    service.launch();
    return service;
  }

  /** Ends its wait, so that it looks for work now. */
  public void wake() {
    LockSupport.unpark(thread);
  }

  /** Lets it end: its wait is over, and there is no round after this one. */
  public void end() {
    ended = true;
    Thread running = thread;
    if (running != null && running != Thread.currentThread()) {
      running.interrupt();
    }
  }

  /**
   * Counts a failure of a part of its work that does not end the round. Allocates nothing.
   *
   * @param error reported later, the last one alone
   */
  public void failed(Throwable error) {
    untold = error;
    count();
  }

  @SuppressWarnings({"NonAtomicVolatileUpdate", "NonAtomicOperationOnVolatileField"})
  private void count() {
    failures++;
  }

  /** The health of the thread. */
  TrackerStatus.ThreadHealth health() {
    Throwable error = untold;
    return new TrackerStatus.ThreadHealth(
        name, rounds, lastRoundMillis, failures, error == null ? lastFailure : ErrorText.of(error));
  }

  /** Starts the thread, or starts it again if it died. What goes wrong is a failure. */
  synchronized void launch() {
    Thread running = thread;
    if (ended || (running != null && running.isAlive())) {
      return;
    }
    try {
      if (running != null) {
        count();
        lastFailure = "the thread died and was started again";
      }
      Thread next = maker.make(new Rounds(), name);
      thread = next;
      next.start();
    } catch (Throwable e) {
      thread = null;
      failed(e);
    }
  }

  private final class Rounds implements Runnable {
    @Override
    public void run() {
      doRounds();
    }
  }

  private void doRounds() {
    while (!ended) {
      try {
        Thread.interrupted();
        tell();
        ServiceThreads.restartDead();
        Outcome outcome = work.round();
        if (outcome == Outcome.DONE) {
          finishRound();
        } else if (outcome == Outcome.ENDED) {
          ended = true;
        }
      } catch (InterruptedException e) {
        // By something that interrupts every thread it finds.
      } catch (Throwable e) {
        failed(e);
        roundFailed = true;
        rest();
      }
    }
    ServiceThreads.remove(this);
  }

  @SuppressWarnings({"NonAtomicVolatileUpdate", "NonAtomicOperationOnVolatileField"})
  private void finishRound() {
    rounds++;
    lastRoundMillis = System.currentTimeMillis();
  }

  /** Not shortened by an interrupt that came before it. */
  private static void rest() {
    try {
      Thread.interrupted();
      LockSupport.parkNanos(PAUSE_NANOS);
    } catch (Throwable ignored) {
      // Not even that is possible: the next round is tried at once.
    }
  }

  /** The first round that failed is logged; of later failures the last can be asked for. */
  private void tell() {
    Throwable error = untold;
    if (error != null) {
      String text = ErrorText.of(error);
      lastFailure = text;
      untold = null;
      if (roundFailed && !logged) {
        logged = true;
        TrackerLog.add(goesOn + ": " + text);
      }
    }
  }
}
