package com.example.library;

import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelOutboundHandlerAdapter;
import io.netty.channel.ChannelPromise;
import io.netty.channel.SimpleChannelInboundHandler;
import io.netty.handler.codec.MessageToMessageCodec;
import java.util.List;

/** Handlers of a library that pass messages on, and such that keep them. */
public final class Keepers {
  private Keepers() {}

  /** Passes on. */
  public static class Passes extends ChannelInboundHandlerAdapter {
    @Override
    public void channelRead(ChannelHandlerContext context, Object message) {
      context.fireChannelRead(message);
    }
  }

  /** Keeps what comes in. */
  public static class Reads extends ChannelInboundHandlerAdapter {
    @Override
    public void channelRead(ChannelHandlerContext context, Object message) {}
  }

  /** Keeps one more reference to what comes in. */
  public static class Adapter extends SimpleChannelInboundHandler<Object> {
    public Adapter() {
      super(false);
    }

    @Override
    protected void channelRead0(ChannelHandlerContext context, Object message) {}
  }

  /** Keeps what goes out. */
  public static class Writes extends ChannelOutboundHandlerAdapter {
    @Override
    public void write(ChannelHandlerContext context, Object message, ChannelPromise promise) {}
  }

  /** Keeps both. */
  public static class Codec extends MessageToMessageCodec<Object, Object> {
    public Codec() {}

    @Override
    protected void encode(ChannelHandlerContext context, Object message, List<Object> out) {
      keep(message, out);
    }

    @Override
    protected void decode(ChannelHandlerContext context, Object message, List<Object> out) {
      keep(message, out);
    }

    private static void keep(Object message, List<Object> out) {
      io.netty.util.ReferenceCountUtil.retain(message);
      out.add("kept");
    }
  }
}
