package org.buftrail.agent.end;

import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import org.buftrail.agent.base.Log;
import org.buftrail.flow.base.ServiceThread;

/**
 * Prints and starts the rest once there is something to follow. A JVM in which nothing ever is
 * hears nothing. Thread-safe.
 */
public final class Announcement {
  private final List<String> lines;
  private final Runnable services;
  private final AtomicBoolean due = new AtomicBoolean();
  private final AtomicBoolean said = new AtomicBoolean();
  private final AtomicBoolean started = new AtomicBoolean();

  /**
   * @param lines for the log
   * @param services started after them
   */
  public Announcement(List<String> lines, Runnable services) {
    this.lines = lines;
    this.services = services;
  }

  /**
   * Makes it, on a thread of its own: the caller may be loading a class, and the stream of errors
   * may be the application's.
   */
  public void makeSoon() {
    if (due.compareAndSet(false, true)) {
      ServiceThread.start("buftrail-start", this::makeOnce);
    }
  }

  private ServiceThread.Outcome makeOnce() {
    make();
    return ServiceThread.Outcome.ENDED;
  }

  /** Makes it now, unless that was done. */
  public void make() {
    due.set(true);
    say();
    if (started.compareAndSet(false, true)) {
      services.run();
    }
  }

  /** Says the lines, unless that was done. */
  public void say() {
    if (said.compareAndSet(false, true)) {
      lines.forEach(Log::line);
    }
  }

  /** Whether there has been something to follow. */
  public boolean isDue() {
    return due.get();
  }
}
