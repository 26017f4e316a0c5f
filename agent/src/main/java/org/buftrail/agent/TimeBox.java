package org.buftrail.agent;

import java.util.function.Consumer;
import org.buftrail.flow.FlowTracker;

/** Switches tracking on after a delay, and off after a while, on a daemon thread. */
final class TimeBox extends Thread {
  private final long delayMillis;
  private final long durationMillis;
  private final Consumer<String> log;

  /**
   * @param delayMillis 0 when tracking is on already
   * @param durationMillis from then on; 0 for ever
   * @param log takes a line at each switch
   */
  TimeBox(long delayMillis, long durationMillis, Consumer<String> log) {
    super(null, null, "buftrail-timer", 0, false);
    this.delayMillis = delayMillis;
    this.durationMillis = durationMillis;
    this.log = log;
    setDaemon(true);
    setContextClassLoader(null);
  }

  @Override
  public void run() {
    try {
      if (delayMillis > 0) {
        Thread.sleep(delayMillis);
        FlowTracker.setFollowing(true);
        log.accept("new buffers are followed from now on");
      }
      if (durationMillis > 0) {
        Thread.sleep(durationMillis);
        FlowTracker.stopFollowing("the time to follow is over (duration)");
        log.accept("new buffers are followed no more: the duration is over");
      }
    } catch (InterruptedException e) {
      // Detached: nothing is left to switch.
    } catch (IllegalStateException e) {
      log.accept("tracking stays off: " + e.getMessage());
    }
  }
}
