package org.buftrail.it.states;

import io.netty.buffer.ByteBuf;
import io.netty.util.IllegalReferenceCountException;

/** Code under test that swallows what a second release throws. */
final class Careless {
  private Careless() {}

  /** Whether it threw. */
  static boolean releaseAgain(ByteBuf buffer) {
    try {
      buffer.release();
      return false;
    } catch (IllegalReferenceCountException swallowed) {
      return true;
    }
  }
}
