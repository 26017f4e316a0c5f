// ISSUE netty/netty#14342
// DEPS io.netty:netty-codec-http:4.1.113.Final
// REPAIRED 4.1.114.Final
// CULPRIT io.netty.handler.codec.http.HttpClientUpgradeHandler.write
// INCLUDE io.netty.handler.codec.http

package org.buftrail.museum;

import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.embedded.EmbeddedChannel;
import io.netty.handler.codec.http.DefaultFullHttpRequest;
import io.netty.handler.codec.http.FullHttpResponse;
import io.netty.handler.codec.http.HttpClientCodec;
import io.netty.handler.codec.http.HttpClientUpgradeHandler;
import io.netty.handler.codec.http.HttpMethod;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.HttpVersion;
import java.util.Collection;
import java.util.Collections;

/** A second request while the upgrade is under way fails, and its body is forgotten. */
final class SecondUpgrade {
  public static void main(String[] args) throws Exception {
    Visits.run(SecondUpgrade::write);
  }

  private static void write(boolean twice) {
    HttpClientCodec codec = new HttpClientCodec();
    EmbeddedChannel channel = new EmbeddedChannel(codec);
    channel.pipeline().addLast(new HttpClientUpgradeHandler(codec, new Raw(), 1024));
    channel.writeOutbound(request(channel));
    if (twice) {
      try {
        channel.writeOutbound(request(channel));
      } catch (IllegalStateException expected) {
        // The caller may try again.
      }
    }
    channel.finishAndReleaseAll();
  }

  private static DefaultFullHttpRequest request(EmbeddedChannel channel) {
    ByteBuf body = channel.alloc().directBuffer().writeLong(1);
    return new DefaultFullHttpRequest(HttpVersion.HTTP_1_1, HttpMethod.POST, "/", body);
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
