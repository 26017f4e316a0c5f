package com.example.woven;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;

/** Something of an application that keeps a buffer and another, and that Netty knows nothing of. */
public final class Crate {
  private final ByteBuf body;
  private final ByteBuf lid;

  private Crate(ByteBuf body) {
    this.body = body;
    this.lid = Unpooled.EMPTY_BUFFER;
  }

  /** How much is in it. */
  public int size() {
    return body.readableBytes() + lid.readableBytes();
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
