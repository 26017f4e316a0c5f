// ISSUE netty/netty#15602
// DEPS io.netty:netty-codec-http:4.2.4.Final
// REPAIRED 4.2.5.Final
// CULPRIT io.netty.handler.codec.http.HttpClientUpgradeHandler.decode
// INCLUDE io.netty.handler.codec.http

package org.buftrail.museum;

import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.embedded.EmbeddedChannel;
import io.netty.handler.codec.http.DefaultFullHttpRequest;
import io.netty.handler.codec.http.DefaultHttpResponse;
import io.netty.handler.codec.http.DefaultLastHttpContent;
import io.netty.handler.codec.http.FullHttpResponse;
import io.netty.handler.codec.http.HttpClientCodec;
import io.netty.handler.codec.http.HttpClientUpgradeHandler;
import io.netty.handler.codec.http.HttpMethod;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.HttpResponse;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.HttpVersion;
import io.netty.util.ReferenceCountUtil;
import java.util.Collection;
import java.util.Collections;

/**
 * The answer names another protocol: it is released, and passed on to code that releases it again.
 */
final class RefusedUpgrade {
  public static void main(String[] args) throws Exception {
    Visits.run(RefusedUpgrade::answer);
  }

  private static void answer(boolean otherProtocol) {
    HttpClientCodec codec = new HttpClientCodec();
    EmbeddedChannel channel =
        new EmbeddedChannel(new HttpClientUpgradeHandler(codec, new Raw(), 1024));
    channel.pipeline().addLast(new Reader());
    channel.writeOutbound(new DefaultFullHttpRequest(HttpVersion.HTTP_1_1, HttpMethod.GET, "/"));
    HttpResponse response =
        new DefaultHttpResponse(
            HttpVersion.HTTP_1_1,
            otherProtocol ? HttpResponseStatus.SWITCHING_PROTOCOLS : HttpResponseStatus.OK);
    response.headers().set("upgrade", "other");
    try {
      channel.writeInbound(
          response, new DefaultLastHttpContent(channel.alloc().directBuffer().writeLong(1)));
    } catch (IllegalStateException expected) {
      // The connection goes on without the upgrade.
    }
    channel.finishAndReleaseAll();
  }

  private static final class Reader extends ChannelInboundHandlerAdapter {
    @Override
    public void channelRead(ChannelHandlerContext ctx, Object message) {
      ReferenceCountUtil.safeRelease(message);
    }
  }

  private static final class Raw implements HttpClientUpgradeHandler.UpgradeCodec {
    @Override
    public CharSequence protocol() {
      return "raw";
    }

    @Override
    public Collection<CharSequence> setUpgradeHeaders(ChannelHandlerContext c, HttpRequest r) {
      return Collections.emptyList();
    }

    @Override
    public void upgradeTo(ChannelHandlerContext ctx, FullHttpResponse response) {}
  }
}
