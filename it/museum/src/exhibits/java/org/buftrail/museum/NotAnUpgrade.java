// ISSUE apache/bifromq#163
// DEPS io.netty:netty-codec-http:4.1.132.Final
// CULPRIT org.buftrail.museum.NotAnUpgrade$Door.channelRead

package org.buftrail.museum;

import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.embedded.EmbeddedChannel;
import io.netty.handler.codec.http.DefaultHttpContent;
import io.netty.handler.codec.http.DefaultHttpRequest;
import io.netty.handler.codec.http.FullHttpRequest;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpMethod;
import io.netty.handler.codec.http.HttpObjectAggregator;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.HttpVersion;
import io.netty.handler.codec.http.LastHttpContent;
import io.netty.util.ReferenceCountUtil;

/** A request that is no upgrade to WebSocket closes the connection, and stays. */
final class NotAnUpgrade {
  public static void main(String[] args) throws Exception {
    Visits.run(NotAnUpgrade::connect);
  }

  private static void connect(boolean plain) {
    EmbeddedChannel channel = new EmbeddedChannel(new HttpObjectAggregator(1024), new Door());
    HttpRequest request = new DefaultHttpRequest(HttpVersion.HTTP_1_1, HttpMethod.POST, "/");
    if (!plain) {
      request.headers().set(HttpHeaderNames.UPGRADE, "websocket");
    }
    channel.writeInbound(
        request,
        new DefaultHttpContent(channel.alloc().directBuffer().writeLong(1)),
        LastHttpContent.EMPTY_LAST_CONTENT);
    channel.finishAndReleaseAll();
  }

  private static final class Door extends ChannelInboundHandlerAdapter {
    @Override
    public void channelRead(ChannelHandlerContext ctx, Object message) {
      FullHttpRequest request = (FullHttpRequest) message;
      if (!request.headers().contains(HttpHeaderNames.UPGRADE)) {
        ctx.close();
        return;
      }
      handshake(request);
    }

    private static void handshake(FullHttpRequest request) {
      ReferenceCountUtil.release(request);
    }
  }
}
