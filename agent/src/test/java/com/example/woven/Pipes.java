package com.example.woven;

import com.example.library.Keepers;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.PooledByteBufAllocator;
import io.netty.channel.ChannelHandler;
import io.netty.channel.embedded.EmbeddedChannel;
import io.netty.handler.codec.http.DefaultHttpContent;

/** Sends a message through a pipeline in which a handler keeps it. */
public final class Pipes {
  private Pipes() {}

  private static ByteBuf make() {
    return PooledByteBufAllocator.DEFAULT.directBuffer(16);
  }

  private static Object in(ChannelHandler last) {
    ByteBuf buffer = make();
    new EmbeddedChannel(new Keepers.Passes(), last).writeInbound(buffer);
    return buffer;
  }

  private static Object out(ChannelHandler first) {
    ByteBuf buffer = make();
    new EmbeddedChannel(first).writeOutbound(buffer);
    return buffer;
  }

  public static Object read() {
    return in(new Keepers.Reads());
  }

  public static Object readByAnAdapter() {
    return in(new Keepers.Adapter());
  }

  public static Object decoded() {
    return in(new Keepers.Codec());
  }

  public static Object written() {
    return out(new Keepers.Writes());
  }

  public static Object encoded() {
    return out(new Keepers.Codec());
  }

  /** Keeps a message that holds a view of the buffer. */
  public static Object held() {
    ByteBuf buffer = make().writeLong(1);
    DefaultHttpContent content = new DefaultHttpContent(buffer.slice());
    new EmbeddedChannel(new Keepers.Reads()).writeInbound(content);
    return buffer;
  }
}
