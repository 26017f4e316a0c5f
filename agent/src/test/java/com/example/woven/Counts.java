package com.example.woven;

import com.example.library.Sealed;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.DefaultByteBufHolder;
import io.netty.buffer.Unpooled;
import java.util.Objects;

/** Releases by methods that have the names of Netty's, and hands on what a library wraps. */
public final class Counts {
  private Counts() {}

  private static final class Letter extends DefaultByteBufHolder {
    Letter(ByteBuf content) {
      super(content);
    }

    @Override
    public boolean release() {
      return content().release();
    }
  }

  private static ByteBuf make() {
    return Unpooled.wrappedBuffer(new byte[4]);
  }

  /** Releases a message, whose own method releases its buffer. */
  public static Object message() {
    return new Letter(make()).release();
  }

  /** Releases by a static method of its own. */
  public static Object ownMethod() {
    ByteBuf body = make();
    return release(body);
  }

  private static boolean release(ByteBuf buffer) {
    return buffer.release();
  }

  /** Hands on what a library wraps. */
  public static Object sealed() {
    ByteBuf body = make();
    take(new Sealed(body));
    return body;
  }

  /** Hands it on where a type variable stands, and beside one. */
  public static Object variables() {
    ByteBuf body = make();
    beside("", body);
    within(body, "");
    return body;
  }

  private static <T> void beside(T first, Object second) {
    Objects.requireNonNull(first);
    Objects.requireNonNull(second);
  }

  private static <T> void within(T first, Object second) {
    Objects.requireNonNull(first);
    Objects.requireNonNull(second);
  }

  private static void take(Sealed sealed) {
    Objects.requireNonNull(sealed);
  }
}
