// ISSUE mrniko/netty-socketio#139
// DEPS io.netty:netty-transport:4.1.132.Final
// CULPRIT org.buftrail.museum.PollingTransport$Encoder.write
// CULPRIT org.buftrail.museum.PollingTransport$Encoder.script

package org.buftrail.museum;

import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelOutboundHandlerAdapter;
import io.netty.channel.ChannelPromise;
import io.netty.channel.embedded.EmbeddedChannel;
import java.nio.charset.StandardCharsets;

/** An encoder has a packet written to a buffer, and one transport wraps it by a copy. */
final class PollingTransport {
  public static void main(String[] args) throws Exception {
    Visits.run(PollingTransport::send);
  }

  private static void send(boolean jsonp) {
    EmbeddedChannel channel = new EmbeddedChannel(new Encoder(jsonp));
    channel.writeOutbound("hello");
    channel.finishAndReleaseAll();
  }

  private static final class Encoder extends ChannelOutboundHandlerAdapter {
    private final boolean jsonp;

    Encoder(boolean jsonp) {
      this.jsonp = jsonp;
    }

    @Override
    public void write(ChannelHandlerContext ctx, Object message, ChannelPromise promise) {
      ByteBuf packet = encode(ctx, (String) message);
      ByteBuf out = jsonp ? script(ctx, packet) : packet;
      ctx.write(out, promise);
    }

    private static ByteBuf encode(ChannelHandlerContext ctx, String message) {
      return ctx.alloc().directBuffer().writeBytes(message.getBytes(StandardCharsets.UTF_8));
    }

    private static ByteBuf script(ChannelHandlerContext ctx, ByteBuf packet) {
      ByteBuf out = ctx.alloc().directBuffer();
      out.writeByte('(');
      writeEscaped(out, packet);
      return out.writeByte(')');
    }

    private static void writeEscaped(ByteBuf out, ByteBuf packet) {
      out.writeBytes(packet);
    }
  }
}
