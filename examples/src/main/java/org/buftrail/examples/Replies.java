package org.buftrail.examples;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.codec.http.DefaultFullHttpResponse;
import io.netty.handler.codec.http.FullHttpResponse;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.HttpVersion;
import org.jspecify.annotations.Nullable;

/** What the endpoints answer with. */
@SuppressWarnings("FutureReturnValueIgnored") // a channel that fails closes, and is done with
final class Replies {
  private Replies() {}

  /** Sends a body, and with it the duty to release it. */
  static void send(
      ChannelHandlerContext ctx, HttpResponseStatus status, String type, ByteBuf body) {
    FullHttpResponse response = new DefaultFullHttpResponse(HttpVersion.HTTP_1_1, status, body);
    response.headers().set(HttpHeaderNames.CONTENT_TYPE, type);
    response.headers().set(HttpHeaderNames.CONTENT_LENGTH, body.readableBytes());
    ctx.writeAndFlush(response).addListener(future -> closeOn(ctx, future.cause()));
  }

  /** Sends a line of text. */
  static void send(ChannelHandlerContext ctx, HttpResponseStatus status, String line) {
    send(ctx, status, "text/plain", ByteBufUtil.writeAscii(ctx.alloc(), line + "\n"));
  }

  private static void closeOn(ChannelHandlerContext ctx, @Nullable Throwable cause) {
    if (cause != null) {
      System.err.println("not sent on " + ctx.channel() + ": " + cause);
      ctx.close();
    }
  }
}
