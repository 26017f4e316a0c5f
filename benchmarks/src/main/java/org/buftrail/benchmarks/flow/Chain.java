package org.buftrail.benchmarks.flow;

import io.netty.buffer.ByteBuf;

/** Methods that do nothing but hand a buffer on: what is added to them is the cost of a hop. */
final class Chain {
  private Chain() {}

  static void first(ByteBuf buffer) {
    second(buffer);
  }

  static void second(ByteBuf buffer) {
    third(buffer);
  }

  static void third(ByteBuf buffer) {
    buffer.release();
  }
}
