package org.buftrail.flow.base;

/** Lets the clock of the tracker stand, for tests in other packages. */
public final class HeldTicks {
  private HeldTicks() {}

  /** Lets it stand at a tick. */
  public static void hold(int tick) {
    Ticks.hold(tick);
  }

  /** Lets it run again. */
  public static void release() {
    Ticks.release();
  }
}
