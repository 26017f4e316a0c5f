// ISSUE eclipse-vertx/vert.x#3703
// DEPS io.netty:netty-codec-http:4.1.132.Final
// CULPRIT org.buftrail.museum.FormNotDestroyed$Form.channelRead0

package org.buftrail.museum;

import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.SimpleChannelInboundHandler;
import io.netty.channel.embedded.EmbeddedChannel;
import io.netty.handler.codec.http.DefaultFullHttpRequest;
import io.netty.handler.codec.http.FullHttpRequest;
import io.netty.handler.codec.http.HttpMethod;
import io.netty.handler.codec.http.HttpVersion;
import io.netty.handler.codec.http.multipart.HttpPostRequestDecoder;
import java.nio.charset.StandardCharsets;

/** A form is decoded, and on one branch the decoder is not destroyed. */
final class FormNotDestroyed {
  public static void main(String[] args) throws Exception {
    Visits.run(FormNotDestroyed::post);
  }

  private static void post(boolean tooMany) {
    EmbeddedChannel channel = new EmbeddedChannel(new Form());
    byte[] form = (tooMany ? "a=1&b=2&c=3" : "a=1").getBytes(StandardCharsets.US_ASCII);
    channel.writeInbound(
        new DefaultFullHttpRequest(
            HttpVersion.HTTP_1_1,
            HttpMethod.POST,
            "/",
            channel.alloc().directBuffer().writeBytes(form)));
    channel.finishAndReleaseAll();
  }

  private static final class Form extends SimpleChannelInboundHandler<FullHttpRequest> {
    @Override
    protected void channelRead0(ChannelHandlerContext ctx, FullHttpRequest request) {
      HttpPostRequestDecoder decoder = new HttpPostRequestDecoder(request);
      if (decoder.getBodyHttpDatas().size() > 2) {
        ctx.close();
        return;
      }
      decoder.destroy();
    }
  }
}
