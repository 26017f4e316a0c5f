package com.example.woven;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelInboundHandlerAdapter;
import java.util.Objects;

/** What wraps one buffer, and may be seen by an interface. */
public final class Envelope {
  private Envelope() {}

  private record Letter(String label, ByteBuf body) implements Sent {}

  private static class Parcel {
    private final ByteBuf body;

    Parcel(ByteBuf body) {
      this.body = body;
    }
  }

  /** Has its constructor call another of a wrapper. */
  private static final class Registered extends Parcel {
    private final int number;

    Registered(ByteBuf body, int number) {
      super(body);
      this.number = number;
    }
  }

  /** By which it is seen. */
  interface Sent {
    ByteBuf body();
  }

  /** Keeps a buffer too, but is a handler. */
  private static final class Post extends ChannelInboundHandlerAdapter {
    private final ByteBuf body;

    Post(ByteBuf body) {
      this.body = body;
    }

    int size() {
      return body.readableBytes();
    }
  }

  /** Hands one on. */
  public static Object run() {
    ByteBuf body = Unpooled.wrappedBuffer(new byte[4]);
    take(new Letter("a", body));
    return body;
  }

  /** Hands one on as what it is seen by. */
  public static Object seen() {
    ByteBuf body = Unpooled.wrappedBuffer(new byte[4]);
    Sent sent = new Letter("a", body);
    deliver(sent);
    return body;
  }

  /** Hands a handler on. */
  public static Object posted() {
    ByteBuf body = Unpooled.wrappedBuffer(new byte[4]);
    post(new Post(body));
    return body;
  }

  /** Makes one of a class below another wrapper. */
  public static Object registered() {
    ByteBuf body = Unpooled.wrappedBuffer(new byte[4]);
    Registered registered = new Registered(body, 7);
    return registered.number == 7 ? ((Parcel) registered).body : "";
  }

  private static void take(Letter letter) {
    letter.label();
  }

  private static void deliver(Sent sent) {
    Objects.requireNonNull(sent);
  }

  private static void post(Post post) {
    post.size();
  }
}
