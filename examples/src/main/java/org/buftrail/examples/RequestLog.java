package org.buftrail.examples;

import io.netty.buffer.ByteBufHolder;
import io.netty.channel.ChannelDuplexHandler;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelPromise;
import java.util.concurrent.atomic.LongAdder;

/** Counts the bytes of bodies that pass in both directions. */
@SuppressWarnings("FutureReturnValueIgnored") // a channel that fails closes, and is done with
final class RequestLog extends ChannelDuplexHandler {
  private final LongAdder received;
  private final LongAdder sent;

  RequestLog(LongAdder received, LongAdder sent) {
    this.received = received;
    this.sent = sent;
  }

  @Override
  public void channelRead(ChannelHandlerContext ctx, Object message) {
    count(message, received);
    ctx.fireChannelRead(message);
  }

  @Override
  public void write(ChannelHandlerContext ctx, Object message, ChannelPromise promise) {
    count(message, sent);
    ctx.write(message, promise);
  }

  private static void count(Object message, LongAdder counter) {
    if (message instanceof ByteBufHolder holder) {
      counter.add(holder.content().readableBytes());
    }
  }
}
