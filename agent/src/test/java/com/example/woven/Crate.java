package com.example.woven;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;

/** Something of an application that keeps a buffer, and that Netty knows nothing of. */
public final class Crate {
  private final ByteBuf body;

  private Crate(ByteBuf body) {
    this.body = body;
  }

  /** How much is in it. */
  public int size() {
    return body.readableBytes();
  }

  /** Hands one on. */
  public static Object run() {
    ByteBuf body = Unpooled.wrappedBuffer(new byte[4]);
    accept(new Crate(body));
    return body;
  }

  private static void accept(Crate crate) {
    wrap(crate);
  }

  private static Crate wrap(Crate crate) {
    return crate;
  }
}
