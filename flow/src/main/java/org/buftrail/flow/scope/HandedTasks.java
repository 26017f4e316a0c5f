package org.buftrail.flow.scope;

import java.util.concurrent.Future;
import org.buftrail.flow.base.WeakIdentityMap;
import org.jspecify.annotations.Nullable;

/**
 * The tasks that threads have handed to executors, each with the scope of the thread.
 *
 * <p>By the task itself: to wrap it would hide it from code that removes or compares it. An object
 * may be handed several times at once, as a lambda that captures nothing is, and is run in that
 * order. Thread-safe.
 */
final class HandedTasks {
  /** An executor that hands tasks on in a wrapper never takes them from here. */
  private static final int MAX_TIMES = 1_000;

  private final WeakIdentityMap<Handed> byTask = new WeakIdentityMap<>();

  /** One hand-over, and those of the same object that follow. */
  private static final class Handed {
    private Stay stay;

    /** Whether it may run again and again. */
    private final boolean isLasting;

    private boolean isCounted;
    private @Nullable Handed next;

    /** Whether it left the map. */
    private boolean isGone;

    Handed(Stay stay, boolean isLasting, boolean isCounted) {
      this.stay = stay;
      this.isLasting = isLasting;
      this.isCounted = isCounted;
    }

    /** Whether the other was added, which an executor may do to which another has handed on. */
    synchronized boolean add(Handed other) {
      if (isGone || isLasting) {
        return isLasting && !isGone;
      }
      dropClosed();
      Handed last = this;
      int times = 1;
      while (last.next != null) {
        last = last.next;
        times++;
      }
      if (!last.isCounted && other.isCounted && last.stay.scope == other.stay.scope) {
        last.isCounted = true;
        other.stay.scope.addTasks(1);
      } else if (times < MAX_TIMES) {
        last.next = other;
        other.count();
      }
      return true;
    }

    /** Whether a timer was given it by a thread in the scope or within; it may have run since. */
    synchronized boolean isTimerOf(Scope scope) {
      return isLasting && stay.scope.isWithin(scope);
    }

    void count() {
      if (isCounted) {
        stay.scope.addTasks(1);
      }
    }

    /** Drops tasks that were never taken and cannot be any more, except for the last. */
    private void dropClosed() {
      while (next != null && !stay.scope.isOpen()) {
        shift(next);
      }
    }

    private void shift(Handed second) {
      stay = second.stay;
      isCounted = second.isCounted;
      next = second.next;
    }
  }

  /**
   * @param isLasting whether it may run more than once
   * @param isCounted whether its executor is one that always takes it
   */
  void put(Object task, Stay stay, boolean isLasting, boolean isCounted) {
    Handed handed = new Handed(stay, isLasting, isCounted);
    while (true) {
      Handed known = byTask.putIfAbsent(byTask.key(task), handed);
      if (known == null) {
        handed.count();
        return;
      }
      if (known.add(handed)) {
        return;
      }
    }
  }

  /**
   * The stay of a thread that runs the task now, or null if nobody in a scope has handed it.
   *
   * @param before where the thread is
   */
  @Nullable Stay take(Object task, @Nullable Stay before) {
    Handed known = byTask.get(task);
    if (known == null) {
      return null;
    }
    synchronized (known) {
      if (known.isGone) {
        return null;
      }
      Stay taken = known.stay.during(task, known.isCounted, before);
      if (!known.isLasting) {
        Handed next = known.next;
        if (next != null) {
          known.shift(next);
        } else {
          known.isGone = true;
          byTask.remove(task, known);
        }
      }
      return taken;
    }
  }

  /** Whether a thread in the scope, or within it, gave a timer a task that is not known as done. */
  boolean hasTimers(Scope scope) {
    for (Object task : byTask.keys()) {
      Handed handed = byTask.get(task);
      if (handed != null && handed.isTimerOf(scope) && !isDone(task)) {
        return true;
      }
    }
    return false;
  }

  private static boolean isDone(Object task) {
    try {
      return task instanceof Future && ((Future<?>) task).isDone();
    } catch (RuntimeException | LinkageError e) {
      // It is code of the application.
      return false;
    }
  }

  boolean isEmpty() {
    return byTask.isEmpty();
  }

  int size() {
    return byTask.size();
  }

  void expunge() {
    byTask.expunge();
  }
}
