package com.example.woven;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;

/** Calls whose line may be a hop. */
public final class Lines {
  private Lines() {}

  private static ByteBuf make() {
    return Unpooled.wrappedBuffer(new byte[4]);
  }

  /** Releases in another method. */
  public static Object released() {
    ByteBuf made = make();
    return take(made);
  }

  private static boolean take(ByteBuf buffer) {
    buffer.clear();
    return buffer.release();
  }

  /** Retains, and keeps it. */
  public static Object retained() {
    ByteBuf made = make();
    made.retain();
    return made.array();
  }

  /** Releases at once, on another line. */
  public static Object wrapped() {
    return make() // where a formatter breaks the line
        .release();
  }

  /** Stores in an expression. */
  public static Object compared() {
    ByteBuf made;
    return (made = make()) == null ? "" : made.array();
  }

  /** Releases what it was given at once. */
  public static Object passed() {
    return make().release();
  }
}
