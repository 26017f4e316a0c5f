package org.buftrail.it.states;

/** A program without Netty, which does nothing. */
public final class Idle {
  private Idle() {}

  /** Runs the program. */
  public static void main(String[] args) throws Exception {
    new Ledger().standStill();
  }
}
