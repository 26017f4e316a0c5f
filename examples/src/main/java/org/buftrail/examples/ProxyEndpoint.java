package org.buftrail.examples;

import io.netty.bootstrap.Bootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.SimpleChannelInboundHandler;
import io.netty.channel.socket.nio.NioSocketChannel;
import io.netty.handler.codec.http.DefaultFullHttpRequest;
import io.netty.handler.codec.http.FullHttpRequest;
import io.netty.handler.codec.http.FullHttpResponse;
import io.netty.handler.codec.http.HttpClientCodec;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpMethod;
import io.netty.handler.codec.http.HttpObjectAggregator;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.HttpVersion;

/** {@code GET /proxy}: fetches {@code /hello} over a connection of its own and passes it on. */
final class ProxyEndpoint implements Endpoint {
  @Override
  public void handle(ChannelHandlerContext client, FullHttpRequest request) {
    new Bootstrap()
        .group(client.channel().eventLoop())
        .channel(NioSocketChannel.class)
        .handler(new Upstream(client))
        .connect(client.channel().localAddress())
        .addListener(
            future -> {
              if (!future.isSuccess()) {
                Replies.send(client, HttpResponseStatus.BAD_GATEWAY, "no upstream");
              }
            });
  }

  /** The pipeline towards the upstream server. */
  private static final class Upstream extends ChannelInitializer<Channel> {
    private final ChannelHandlerContext client;

    Upstream(ChannelHandlerContext client) {
      this.client = client;
    }

    @Override
    protected void initChannel(Channel channel) {
      channel
          .pipeline()
          .addLast(new HttpClientCodec(), new HttpObjectAggregator(1 << 16), new Relay(client));
    }
  }

  /** Asks once connected, and hands the answer's buffer to the client. */
  @SuppressWarnings("FutureReturnValueIgnored") // a channel that fails closes, and is done with
  private static final class Relay extends SimpleChannelInboundHandler<FullHttpResponse> {
    private final ChannelHandlerContext client;

    Relay(ChannelHandlerContext client) {
      this.client = client;
    }

    @Override
    public void channelActive(ChannelHandlerContext ctx) {
      FullHttpRequest request =
          new DefaultFullHttpRequest(HttpVersion.HTTP_1_1, HttpMethod.GET, "/hello");
      request.headers().set(HttpHeaderNames.HOST, "localhost");
      ctx.writeAndFlush(request);
    }

    @Override
    protected void channelRead0(ChannelHandlerContext ctx, FullHttpResponse response) {
      Replies.send(client, response.status(), "application/json", response.content().retain());
      ctx.close();
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
      Replies.send(client, HttpResponseStatus.BAD_GATEWAY, "upstream failed");
      ctx.close();
    }
  }
}
