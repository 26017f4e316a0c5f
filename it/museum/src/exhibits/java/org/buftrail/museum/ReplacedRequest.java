// ISSUE LittleProxy/LittleProxy#295
// DEPS io.netty:netty-codec-http:4.1.132.Final
// OTHERS 1 1
// CULPRIT org.buftrail.museum.ReplacedRequest$ClientToProxy.channelRead0

package org.buftrail.museum;

import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.SimpleChannelInboundHandler;
import io.netty.channel.embedded.EmbeddedChannel;
import io.netty.handler.codec.http.DefaultFullHttpRequest;
import io.netty.handler.codec.http.FullHttpRequest;
import io.netty.handler.codec.http.HttpMethod;
import io.netty.handler.codec.http.HttpVersion;

/** A proxy keeps a copy of the request, and the next request takes its place. */
final class ReplacedRequest {
  public static void main(String[] args) throws Exception {
    Visits.run(ReplacedRequest::connection);
  }

  private static void connection(boolean keptAlive) {
    EmbeddedChannel channel = new EmbeddedChannel(new ClientToProxy());
    channel.writeInbound(request(channel));
    if (keptAlive) {
      channel.writeInbound(request(channel));
    }
    channel.finishAndReleaseAll();
  }

  private static FullHttpRequest request(EmbeddedChannel channel) {
    return new DefaultFullHttpRequest(
        HttpVersion.HTTP_1_1, HttpMethod.POST, "/", channel.alloc().directBuffer().writeLong(1));
  }

  private static final class ClientToProxy extends SimpleChannelInboundHandler<FullHttpRequest> {
    private FullHttpRequest current;

    @Override
    protected void channelRead0(ChannelHandlerContext ctx, FullHttpRequest request) {
      current = request.copy();
      current.headers().set("Via", "proxy");
    }

    @Override
    public void channelInactive(ChannelHandlerContext ctx) {
      if (current != null) {
        current.release();
      }
    }
  }
}
