package org.buftrail.flow.tree;

import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The time that looks at the stack may take: a two-hundredth of one processor in the long run, and
 * some {@value #MAX_CREDIT_MILLIS} ms at once. A walk takes 3 µs on a shallow stack and 100 on one
 * of reactive code, so a number of walks would bound nothing.
 *
 * <p>Thread-safe.
 */
public final class LookBudget {
  static final int MAX_CREDIT_MILLIS = 200;

  /** Whatever takes longer was interrupted. */
  static final long MAX_WALK_NANOS = 500_000;

  private static final long MAX_CREDIT_NANOS = MAX_CREDIT_MILLIS * 1_000_000L;
  private static final int PART_OF_PROCESSOR = 200;

  /**
   * In nanoseconds; below zero where the last walks took more than was left, though not so far that
   * there are no looks for long.
   */
  private final AtomicLong credit = new AtomicLong(MAX_CREDIT_NANOS);

  /** First looks at a flow since the last refill. */
  private final AtomicInteger flows = new AtomicInteger();

  private long refilled;
  private long creditThen = MAX_CREDIT_NANOS;

  /** What the looks at one flow take together, by the last time that there were any. */
  private long nanosOfFlow = 1;

  LookBudget(long now) {
    refilled = now;
  }

  /** A flow is looked at for the first time. */
  void beginFlow() {
    flows.incrementAndGet();
  }

  /** A walk took so many nanoseconds. */
  void spend(long nanos) {
    long walk = Math.min(nanos, MAX_WALK_NANOS);
    if (credit.get() > walk - MAX_CREDIT_NANOS) {
      credit.addAndGet(-walk);
    }
  }

  /** Whether any time is left. */
  public boolean isLeft() {
    return credit.get() > 0;
  }

  /**
   * Adds the time since the last call.
   *
   * @param now as {@link System#nanoTime} says
   * @return how many flows may be looked at until the next call, none or less where nothing is left
   */
  public synchronized long refill(long now) {
    int looked = flows.getAndSet(0);
    if (looked > 0) {
      long each = (creditThen - credit.get()) / looked;
      // Walks of older flows are in it too.
      nanosOfFlow = Math.max(1, Math.min(each, Looks.MAX_OF_FLOW * MAX_WALK_NANOS));
    }
    long more = (now - refilled) / PART_OF_PROCESSOR;
    refilled = now;
    creditThen = credit.addAndGet(more);
    if (creditThen > MAX_CREDIT_NANOS) {
      credit.set(MAX_CREDIT_NANOS);
      creditThen = MAX_CREDIT_NANOS;
    }
    return creditThen / nanosOfFlow;
  }
}
