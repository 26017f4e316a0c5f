package org.buftrail.flow.nursery;

/**
 * Bounds how often a thread looks in the side table for a message that a pipeline hands on, which
 * costs some 30 ns: so often only after each look at the stack that began such a flow. Confined to
 * the thread.
 */
public final class LookUps {
  static final int OF_A_LOOK = 256;

  private int left;

  LookUps() {}

  /** A flow was looked at that has its state in the side table. */
  void grant() {
    left = OF_A_LOOK;
  }

  /** Whether the thread may look for one more message. */
  public boolean take() {
    return left > 0 && left-- > 0;
  }
}
