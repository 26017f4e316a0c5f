package org.buftrail.apps.vertx;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.PooledByteBufAllocator;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.internal.buffer.BufferInternal;
import java.nio.charset.StandardCharsets;

/** What a customer gets, in a buffer of Vert.x' around one of a pool. */
final class Receipts {
  private Receipts() {}

  static Buffer encode(String order) {
    ByteBuf receipt = PooledByteBufAllocator.DEFAULT.directBuffer(64);
    receipt.writeCharSequence(order.length() + " letters", StandardCharsets.UTF_8);
    return BufferInternal.buffer(receipt);
  }

  static void release(Buffer receipt) {
    ((BufferInternal) receipt).getByteBuf().release();
  }
}
