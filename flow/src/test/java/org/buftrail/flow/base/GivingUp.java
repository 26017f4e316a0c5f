package org.buftrail.flow.base;

/** What too many errors at once do to a tracker. */
public final class GivingUp {
  private GivingUp() {}

  public static void of(TrackingMode mode) {
    mode.giveUp();
  }
}
