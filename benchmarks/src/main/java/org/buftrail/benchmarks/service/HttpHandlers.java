package org.buftrail.benchmarks.service;

import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.SimpleChannelInboundHandler;
import io.netty.handler.codec.http.DefaultFullHttpResponse;
import io.netty.handler.codec.http.FullHttpRequest;
import io.netty.handler.codec.http.FullHttpResponse;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpObjectAggregator;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.HttpServerCodec;
import io.netty.handler.codec.http.HttpVersion;
import java.nio.charset.StandardCharsets;

/** A small service: Netty's codec and aggregator, and two handlers of the application's. */
final class HttpHandlers extends ChannelInitializer<Channel> {
  private static final byte[] BODY = new byte[512];

  /** An order, as a client posts it. */
  static byte[] request() {
    String head =
        "POST /orders HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
            + "Accept: */*\r\nUser-Agent: benchmark\r\nContent-Length: "
            + BODY.length
            + "\r\n\r\n";
    return withBody(head);
  }

  /** How the service answers it, in as many bytes. */
  static byte[] response() {
    return withBody("HTTP/1.1 200 OK\r\ncontent-length: " + BODY.length + "\r\n\r\n");
  }

  private static byte[] withBody(String head) {
    byte[] ascii = head.getBytes(StandardCharsets.US_ASCII);
    byte[] all = new byte[ascii.length + BODY.length];
    System.arraycopy(ascii, 0, all, 0, ascii.length);
    return all;
  }

  @Override
  protected void initChannel(Channel channel) {
    channel
        .pipeline()
        .addLast(
            new HttpServerCodec(), new HttpObjectAggregator(1 << 16), new Check(), new Orders());
  }

  /** Lets nothing pass that is no order. */
  private static final class Check extends ChannelInboundHandlerAdapter {
    @Override
    public void channelRead(ChannelHandlerContext ctx, Object message) {
      if (message instanceof FullHttpRequest request && size(request.content()) != BODY.length) {
        throw new IllegalArgumentException("no order");
      }
      ctx.fireChannelRead(message);
    }

    private static int size(ByteBuf content) {
      return content.readableBytes();
    }
  }

  /** Answers with what was sent. */
  @SuppressWarnings("FutureReturnValueIgnored") // a channel that fails closes, and is done with
  private static final class Orders extends SimpleChannelInboundHandler<FullHttpRequest> {
    @Override
    protected void channelRead0(ChannelHandlerContext ctx, FullHttpRequest request) {
      ByteBuf body = copy(ctx, request.content());
      FullHttpResponse response =
          new DefaultFullHttpResponse(HttpVersion.HTTP_1_1, HttpResponseStatus.OK, body);
      response.headers().setInt(HttpHeaderNames.CONTENT_LENGTH, body.readableBytes());
      ctx.writeAndFlush(response);
    }

    private static ByteBuf copy(ChannelHandlerContext ctx, ByteBuf content) {
      return ctx.alloc().directBuffer(content.readableBytes()).writeBytes(content);
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
      ctx.close();
    }
  }
}
