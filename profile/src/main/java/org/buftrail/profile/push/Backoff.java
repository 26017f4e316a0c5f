package org.buftrail.profile.push;

import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.function.LongUnaryOperator;

/**
 * How long to wait before a request is sent again: as long as the receiver asks, within limits, or
 * twice as long each time; and a random part more, so that not all senders come back at once.
 * Belongs to one thread.
 */
public final class Backoff {
  private static final long FIRST_WAIT_MILLIS = 1_000;
  private static final long LONGEST_WAIT_MILLIS = 60_000;
  private static final long LONGEST_ASKED_SECONDS = 300;

  private final LongUnaryOperator random;
  private long wait = FIRST_WAIT_MILLIS;

  /** Makes one that waits a second at first. */
  public Backoff() {
    this(bound -> ThreadLocalRandom.current().nextLong(bound));
  }

  /**
   * @param random gives a number from 0 to below a bound
   */
  Backoff(LongUnaryOperator random) {
    this.random = random;
  }

  /** Begins anew, since a request was answered. */
  public void reset() {
    wait = FIRST_WAIT_MILLIS;
  }

  /** Milliseconds to wait after an outcome. */
  public long next(Sender.Outcome outcome) {
    long jitter = random.applyAsLong(wait / 2 + 1);
    long millis = jitter + (outcome.waitSeconds() >= 0 ? leastMillis(outcome) : wait / 2);
    wait = Math.min(LONGEST_WAIT_MILLIS, wait * 2);
    return millis;
  }

  /** Milliseconds that the receiver asks for, five minutes at most; 0 if it does not ask. */
  static long leastMillis(Sender.Outcome outcome) {
    long seconds = Math.min(LONGEST_ASKED_SECONDS, Math.max(0, outcome.waitSeconds()));
    return TimeUnit.SECONDS.toMillis(seconds);
  }
}
