package com.example.woven;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;

/** Takes a buffer from another class and hands it on without keeping it. */
public final class Orders {
  private Orders() {}

  /** Where buffers come from. */
  public static final class Stock {
    private Stock() {}

    static ByteBuf take() {
      return Unpooled.wrappedBuffer(new byte[4]);
    }
  }

  private static ByteBuf same(ByteBuf buffer) {
    return buffer;
  }

  /** Hands one on. */
  public static Object run() {
    return same(Stock.take());
  }
}
