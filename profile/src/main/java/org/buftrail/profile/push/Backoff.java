package org.buftrail.profile.push;

import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;

/**
 * How long to wait before a request is sent again: as long as the receiver asks, or twice as long
 * each time; and a random part more, so that not all senders come back at once. Belongs to one
 * thread.
 */
public final class Backoff {
  private static final long FIRST_WAIT_MILLIS = 1_000;
  private static final long LONGEST_WAIT_MILLIS = 60_000;

  private long wait = FIRST_WAIT_MILLIS;

  /** Makes one that waits a second at first. */
  public Backoff() {}

  /** Begins anew, since a request was answered. */
  public void reset() {
    wait = FIRST_WAIT_MILLIS;
  }

  /** Milliseconds to wait after an outcome. */
  public long next(Sender.Outcome outcome) {
    long jitter = ThreadLocalRandom.current().nextLong(wait / 2 + 1);
    long asked = outcome.waitSeconds();
    long millis = asked >= 0 ? TimeUnit.SECONDS.toMillis(asked) + jitter : wait / 2 + jitter;
    wait = Math.min(LONGEST_WAIT_MILLIS, wait * 2);
    return millis;
  }
}
