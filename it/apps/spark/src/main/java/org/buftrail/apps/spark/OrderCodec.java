package org.buftrail.apps.spark;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.PooledByteBufAllocator;
import java.nio.charset.StandardCharsets;

/** Orders, written to a buffer and read from it; runs in executors. */
final class OrderCodec {
  private OrderCodec() {}

  /** Forgets the buffer of what is no order. */
  static String pass(String order) {
    ByteBuf encoded = encode(order);
    String decoded = encoded.toString(StandardCharsets.UTF_8);
    if (order.equals("none")) {
      return "not an order";
    }
    encoded.release();
    return decoded;
  }

  private static ByteBuf encode(String order) {
    ByteBuf encoded = PooledByteBufAllocator.DEFAULT.directBuffer(64);
    encoded.writeCharSequence(order, StandardCharsets.UTF_8);
    return encoded;
  }
}
