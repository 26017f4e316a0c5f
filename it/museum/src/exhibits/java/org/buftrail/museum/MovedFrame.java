// ISSUE linkerd/linkerd#1711
// DEPS io.netty:netty-codec-http2:4.1.132.Final
// CULPRIT org.buftrail.museum.MovedFrame$Transport.channelRead

package org.buftrail.museum;

import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.embedded.EmbeddedChannel;
import io.netty.handler.codec.http2.DefaultHttp2DataFrame;
import io.netty.handler.codec.http2.DefaultHttp2PingFrame;
import io.netty.handler.codec.http2.Http2DataFrame;
import io.netty.util.ReferenceCountUtil;

/** A buffer is moved from one frame to another, and retained on the way. */
final class MovedFrame {
  public static void main(String[] args) throws Exception {
    Visits.run(MovedFrame::receive);
  }

  private static void receive(boolean data) {
    EmbeddedChannel channel = new EmbeddedChannel(new Transport());
    ByteBuf content = channel.alloc().directBuffer().writeLong(1);
    if (data) {
      channel.writeInbound(new DefaultHttp2DataFrame(content));
    } else {
      channel.writeInbound(new DefaultHttp2PingFrame(1), content);
    }
    channel.finishAndReleaseAll();
  }

  private static final class Transport extends ChannelInboundHandlerAdapter {
    @Override
    public void channelRead(ChannelHandlerContext ctx, Object message) {
      if (message instanceof Http2DataFrame) {
        offer(new Frame(((Http2DataFrame) message).content().retain()));
      } else {
        ReferenceCountUtil.release(message);
      }
    }

    private static void offer(Frame frame) {
      frame.release();
    }
  }

  private static final class Frame {
    private final ByteBuf buffer;

    Frame(ByteBuf buffer) {
      this.buffer = buffer;
    }

    void release() {
      buffer.release();
    }
  }
}
