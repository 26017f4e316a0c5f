package org.buftrail.it.programs;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.UnpooledByteBufAllocator;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelOutboundHandlerAdapter;
import io.netty.channel.ChannelPromise;
import io.netty.channel.embedded.EmbeddedChannel;
import io.netty.util.ReferenceCountUtil;

/** Sends a buffer through handlers that know it as an Object, in and out. */
@SuppressWarnings("FutureReturnValueIgnored") // nothing fails in an embedded channel
public final class Pipeline {
  private Pipeline() {}

  /** Runs the program. */
  public static void main(String[] args) {
    EmbeddedChannel channel = new EmbeddedChannel(new Outbound(), new Inbound());
    ByteBuf request = UnpooledByteBufAllocator.DEFAULT.heapBuffer(16);
    channel.writeInbound(request.writeInt(1));
    ReferenceCountUtil.release(channel.readOutbound());
    channel.finishAndReleaseAll();
  }

  /** Answers with what it reads. */
  private static final class Inbound extends ChannelInboundHandlerAdapter {
    @Override
    public void channelRead(ChannelHandlerContext ctx, Object message) {
      ctx.writeAndFlush(message);
    }
  }

  /** Lets pass. */
  private static final class Outbound extends ChannelOutboundHandlerAdapter {
    @Override
    public void write(ChannelHandlerContext ctx, Object message, ChannelPromise promise) {
      ctx.write(message, promise);
    }
  }
}
