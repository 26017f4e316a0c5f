package org.buftrail.it.leaktests;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.PooledByteBufAllocator;

/** Keeps a buffer for all classes that derive from it, whichever comes first. */
class StaticFieldBase {
  /** Makes a buffer in its constructor, which no initialiser ever sees. */
  static final class Holder {
    private final ByteBuf buffer;

    Holder() {
      buffer = PooledByteBufAllocator.DEFAULT.directBuffer(16);
    }

    void release() {
      buffer.release();
    }
  }

  static final Holder EVERYBODYS = new Holder();
}
