package org.buftrail.flow.control;

import java.lang.ref.WeakReference;
import java.util.concurrent.TimeUnit;
import org.buftrail.flow.nursery.Nursery;
import org.jspecify.annotations.Nullable;

/**
 * A collection of the whole heap that somebody asked for. It runs on a daemon thread, which is left
 * behind when it takes too long: a concurrent collector may need minutes.
 */
final class AskedCollection extends Thread {
  private final Nursery nursery;
  private volatile @Nullable Throwable failure;
  private volatile boolean happened;

  private AskedCollection(Nursery nursery) {
    super(null, null, "buftrail-collection", 0, false);
    this.nursery = nursery;
    setDaemon(true);
    setContextClassLoader(null);
  }

  /**
   * Collects, and waits until {@code untilNanos} of {@link System#nanoTime}, also when interrupted.
   */
  static CollectionOutcome run(Nursery nursery, long untilNanos) {
    AskedCollection collection = new AskedCollection(nursery);
    collection.start();
    boolean interrupted = false;
    for (long left; (left = untilNanos - System.nanoTime()) > 0 && collection.isAlive(); ) {
      try {
        TimeUnit.NANOSECONDS.timedJoin(collection, left);
      } catch (InterruptedException e) {
        interrupted = true;
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
    return collection.outcome();
  }

  private CollectionOutcome outcome() {
    if (isAlive()) {
      return CollectionOutcome.UNDER_WAY;
    }
    Throwable thrown = failure;
    if (thrown != null) {
      throw new IllegalStateException(
          "the outcome of the collection is not known: " + thrown, thrown);
    }
    return happened ? CollectionOutcome.ENDED : CollectionOutcome.REFUSED;
  }

  private int begin() {
    synchronized (nursery) {
      return nursery.collections.begin();
    }
  }

  @Override
  public void run() {
    try {
      int number = begin();
      WeakReference<Object> canary = new WeakReference<>(new Object());
      System.gc();
      // At once, before a collection of the young part can clear it.
      if (canary.get() == null) {
        nursery.endCollection(number);
        happened = true;
      }
    } catch (Throwable e) {
      failure = e;
    }
  }
}
