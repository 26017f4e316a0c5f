// ISSUE vert-x3/vertx-eventbus-bridge-clients#76
// DEPS io.netty:netty-codec-http:4.1.132.Final
// CULPRIT org.buftrail.museum.WebSocketTail$Transport.channelRead

package org.buftrail.museum;

import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.embedded.EmbeddedChannel;
import io.netty.handler.codec.http.websocketx.PongWebSocketFrame;
import io.netty.handler.codec.http.websocketx.TextWebSocketFrame;
import io.netty.handler.codec.http.websocketx.WebSocketFrame;

/** The last handler of a client reads text frames, and releases only those that are none. */
final class WebSocketTail {
  public static void main(String[] args) throws Exception {
    Visits.run(WebSocketTail::receive);
  }

  private static void receive(boolean text) {
    EmbeddedChannel channel = new EmbeddedChannel(new Transport());
    io.netty.buffer.ByteBuf content = channel.alloc().directBuffer().writeByte('a');
    channel.writeInbound(text ? new TextWebSocketFrame(content) : new PongWebSocketFrame(content));
    channel.finishAndReleaseAll();
  }

  private static final class Transport extends ChannelInboundHandlerAdapter {
    private int received;

    @Override
    public void channelRead(ChannelHandlerContext ctx, Object message) {
      WebSocketFrame frame = (WebSocketFrame) message;
      if (frame instanceof TextWebSocketFrame) {
        received += ((TextWebSocketFrame) frame).text().length();
        return;
      }
      frame.release();
    }
  }
}
