package org.buftrail.flow.base;

import org.buftrail.model.Snapshot;
import org.buftrail.model.TrackerStatus;
import org.jspecify.annotations.Nullable;

/**
 * Why not every buffer is followed, in one field for the hot path to ask for. Any thread.
 *
 * <p>Read plainly: a thread that sees a change late starts a few flows more or less.
 */
public final class TrackingMode {
  private static final int STOPPED = 1;
  private static final int DIRECT_ONLY = 2;
  private static final int SAMPLED = 4;
  private static final int OVERRUN = 8;
  private static final int SCOPED = 16;
  private static final int NOT_STARTING = STOPPED | OVERRUN;

  /** The number of errors at once that stops tracking. */
  static final int BURST_ERRORS = 1_000;

  /** Why it is not alive. */
  static final String GAVE_UP = BURST_ERRORS + " errors inside the tracker within 10 s";

  private int now = STOPPED;
  private boolean alive = true;
  private volatile long gaveUpMillis;
  private int sampling = 1;
  private int hopRules = Snapshot.HOP_RULES;

  /** Since when and why following is switched off; null while it is on. */
  private volatile TrackerStatus.@Nullable Stop stop;

  /** Since when and why a library is not followed; null once there is one that is. */
  private volatile TrackerStatus.@Nullable Stop refusal;

  private boolean known;

  public synchronized void configure(int sampling, boolean directOnly) {
    this.sampling = sampling;
    now =
        (now & (NOT_STARTING | SCOPED))
            | (directOnly ? DIRECT_ONLY : 0)
            | (sampling > 1 ? SAMPLED : 0);
  }

  /** Says by which rules classes are woven from now on. */
  public synchronized void setHopRules(int rules) {
    hopRules = rules;
  }

  /** The {@linkplain Snapshot#hopRules rules} by which classes are woven. */
  public synchronized int hopRules() {
    return hopRules;
  }

  /** Whether new flows begin. Those under way go on to their end in either case. */
  public synchronized void setStarting(boolean on) {
    now = on ? now & ~STOPPED : now | STOPPED;
  }

  /**
   * Whether the sweeper is so far behind that no new flows begin.
   *
   * @return whether it was
   */
  public synchronized boolean setOverrun(boolean overrun) {
    boolean before = (now & OVERRUN) != 0;
    now = overrun ? now | OVERRUN : now & ~OVERRUN;
    return before;
  }

  /** Once and for all. Safe to repeat. */
  synchronized void giveUp() {
    setStarting(false);
    if (alive) {
      gaveUpMillis = System.currentTimeMillis();
      alive = false;
    }
  }

  /** New flows begin from now on or, for a reason, do not. */
  public synchronized void follow(boolean following, String reason) {
    if (following) {
      stop = null;
    } else if (stop == null) {
      stop = new TrackerStatus.Stop(System.currentTimeMillis(), reason);
    }
    setStarting(following && alive);
  }

  /** No new flows begin, whatever the reason was before. */
  public synchronized void detach() {
    stop = null;
    follow(false, "the agent was detached");
  }

  /**
   * A library has loaded whose buffers cannot be followed.
   *
   * @param reason one line
   */
  public synchronized void refuseLibrary(String reason) {
    if (!known && refusal == null) {
      refusal = new TrackerStatus.Stop(System.currentTimeMillis(), reason);
    }
  }

  /** A library has loaded whose buffers are followed. */
  public synchronized void knowLibrary() {
    known = true;
    refusal = null;
  }

  /** Since when and why the only library is left alone, or null. */
  public TrackerStatus.@Nullable Stop refusal() {
    return refusal;
  }

  /** Since when and why nothing is followed; null while something is, and before the start. */
  public TrackerStatus.@Nullable Stop stopped() {
    TrackerStatus.@Nullable Stop told = stop;
    return alive ? told != null ? told : refusal : new TrackerStatus.Stop(gaveUpMillis, GAVE_UP);
  }

  /** Whether it has not given up after too many errors of its own. */
  public boolean isAlive() {
    return alive;
  }

  /** Whether no flow of a buffer begins that is direct, or is not. */
  public boolean exclude(boolean direct) {
    return (now & (direct ? NOT_STARTING : NOT_STARTING | DIRECT_ONLY)) != 0;
  }

  public boolean areSampling() {
    return (now & SAMPLED) != 0;
  }

  /** Whether scopes are open. A thread that is in none may see it late. */
  public boolean areScoped() {
    return (now & SCOPED) != 0;
  }

  public synchronized void setScoped(boolean on) {
    now = on ? now | SCOPED : now & ~SCOPED;
  }

  public boolean isStarting() {
    return (now & NOT_STARTING) == 0;
  }

  /** Whether new flows begin but for a moment in which the sweeper is too far behind. */
  public boolean isOn() {
    return (now & STOPPED) == 0;
  }

  public boolean isDirectOnly() {
    return (now & DIRECT_ONLY) != 0;
  }

  /** Of how many buffers one is followed. */
  public int sampling() {
    return sampling;
  }
}
