// ISSUE apache/eventmesh#3271
// DEPS io.netty:netty-codec-http:4.1.132.Final
// CULPRIT org.buftrail.museum.ReleasedByHandler$HttpHandler.channelRead0

package org.buftrail.museum;

import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.SimpleChannelInboundHandler;
import io.netty.channel.embedded.EmbeddedChannel;
import io.netty.handler.codec.http.DefaultFullHttpRequest;
import io.netty.handler.codec.http.FullHttpRequest;
import io.netty.handler.codec.http.HttpMethod;
import io.netty.handler.codec.http.HttpVersion;
import io.netty.util.IllegalReferenceCountException;
import io.netty.util.ReferenceCountUtil;

/** A handler releases its request, and so does its superclass. */
final class ReleasedByHandler {
  public static void main(String[] args) throws Exception {
    Visits.run(ReleasedByHandler::receive);
  }

  private static void receive(boolean post) {
    EmbeddedChannel channel = new EmbeddedChannel(new HttpHandler());
    HttpMethod method = post ? HttpMethod.POST : HttpMethod.GET;
    try {
      channel.writeInbound(
          new DefaultFullHttpRequest(
              HttpVersion.HTTP_1_1, method, "/", channel.alloc().directBuffer().writeLong(1)));
    } catch (IllegalReferenceCountException expected) {
      // Logged.
    }
    channel.finishAndReleaseAll();
  }

  private static final class HttpHandler extends SimpleChannelInboundHandler<FullHttpRequest> {
    @Override
    protected void channelRead0(ChannelHandlerContext ctx, FullHttpRequest request) {
      if (request.method() == HttpMethod.POST) {
        request.content().readLong();
        ReferenceCountUtil.release(request);
      }
    }
  }
}
