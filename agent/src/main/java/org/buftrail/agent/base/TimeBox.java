package org.buftrail.agent.base;

import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.buftrail.flow.base.ServiceThread;
import org.buftrail.flow.control.FlowTracker;

/** Switches tracking on after a delay, and off after a while, on a thread of its own. */
public final class TimeBox {
  private final boolean isDelayed;
  private final boolean isLimited;
  private final long begin;
  private final long end;
  private final Consumer<String> log;
  private final ServiceThread thread;

  /** Used by its thread alone. */
  private boolean begun;

  private TimeBox(long delayMillis, long durationMillis, Consumer<String> log) {
    this.isDelayed = delayMillis > 0;
    this.isLimited = durationMillis > 0;
    this.begin = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(delayMillis);
    this.end = begin + TimeUnit.MILLISECONDS.toNanos(durationMillis);
    this.log = log;
    this.thread = ServiceThread.start("buftrail-timer", this::round);
  }

  /**
   * Starts it.
   *
   * @param delayMillis 0 when tracking is on already
   * @param durationMillis from then on; 0 for ever
   * @param log takes a line at each switch
   */
  public static TimeBox start(long delayMillis, long durationMillis, Consumer<String> log) {
    return new TimeBox(delayMillis, durationMillis, log);
  }

  /** Switches no more. */
  public void end() {
    thread.end();
  }

  private ServiceThread.Outcome round() throws InterruptedException {
    try {
      if (isDelayed && !begun) {
        sleepUntil(begin);
        FlowTracker.INSTANCE.setFollowing(true);
        begun = true;
        log.accept("new buffers are followed from now on");
      }
      if (isLimited) {
        sleepUntil(end);
        FlowTracker.INSTANCE.stopFollowing("the time to follow is over (duration)");
        log.accept("new buffers are followed no more: the duration is over");
      }
    } catch (IllegalStateException e) {
      log.accept("tracking stays off: " + e.getMessage());
    }
    return ServiceThread.Outcome.ENDED;
  }

  private static void sleepUntil(long nanos) throws InterruptedException {
    long left = nanos - System.nanoTime();
    if (left > 0) {
      TimeUnit.NANOSECONDS.sleep(left);
    }
  }
}
