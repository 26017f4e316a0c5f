package org.buftrail.apps.vertx;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.PooledByteBufAllocator;
import java.nio.charset.StandardCharsets;

/** What a customer gets, in a buffer that the caller releases. */
final class Receipts {
  private Receipts() {}

  static ByteBuf encode(String order) {
    ByteBuf receipt = PooledByteBufAllocator.DEFAULT.directBuffer(64);
    receipt.writeCharSequence(order.length() + " letters", StandardCharsets.UTF_8);
    return receipt;
  }
}
