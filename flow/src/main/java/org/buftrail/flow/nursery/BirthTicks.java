package org.buftrail.flow.nursery;

import org.buftrail.flow.base.Ticks;

/**
 * About when lives began that are in a ring, without a look at the clock for each: sweeps and
 * rounds of the ring take one, and a life began between two of these. So its age is known to half a
 * second, if the sweeper gets its turn. In ticks of {@link Ticks}.
 *
 * <p>Each field has one writer; others may see it a moment late.
 */
final class BirthTicks {
  /** The last sweep, and the one before. Written by the sweeper. */
  private int swept = Ticks.now();

  private int formerSwept = swept;

  /** When the ring last came round, and the time before. Written by the owner. */
  private int round = swept;

  private int formerRound = swept;

  void noteRound() {
    formerRound = round;
    round = Ticks.now();
  }

  void noteSweep(int tick) {
    formerSwept = swept;
    swept = tick;
  }

  /**
   * @param young whether the life came after the last sweep
   * @param latest when it had begun, for certain
   */
  int of(boolean young, int latest) {
    return between(young ? swept : formerSwept, young ? latest : swept);
  }

  /** The tick of a life that was in the ring when it last came round. */
  int ofLastRound() {
    return between(formerSwept, round);
  }

  private int between(int from, int to) {
    int first = formerRound - from > 0 ? formerRound : from;
    return to - first > 0 ? first + (to - first) / 2 : to;
  }
}
