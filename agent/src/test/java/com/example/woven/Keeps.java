package com.example.woven;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;

/** Ways to take what another method returns. */
public final class Keeps {
  private static Object field = "";

  private Keeps() {}

  private static ByteBuf make() {
    return Unpooled.wrappedBuffer(new byte[4]);
  }

  private static ByteBuf same(ByteBuf buffer) {
    return buffer;
  }

  /** In a variable. */
  public static Object inAVariable() {
    ByteBuf made = make();
    return made.array().length == 4 ? made : "";
  }

  /** In a field. */
  public static Object inAField() {
    field = make();
    return field;
  }

  /** In one of two ways. */
  public static Object chosen() {
    ByteBuf made = field == null ? same(make()) : make();
    return made.array().length == 4 ? made : "";
  }

  /** Nowhere. */
  @SuppressWarnings("CheckReturnValue") // that is what is tried
  public static Object dropped() {
    ByteBuf made = Unpooled.wrappedBuffer(new byte[4]);
    same(made);
    return made.array().length == 4 ? made : "";
  }

  /** Not kept, but handed on. */
  public static Object handedOn() {
    return same(make());
  }
}
