// ISSUE Numdrassl/proxy#10
// DEPS io.netty:netty-transport:4.1.132.Final
// CULPRIT org.buftrail.museum.OtherLoop$Sender.sendToStream

package org.buftrail.museum;

import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.SimpleChannelInboundHandler;
import io.netty.channel.embedded.EmbeddedChannel;

/** A packet for the loop of another channel is retained, and copied when its turn comes. */
final class OtherLoop {
  public static void main(String[] args) throws Exception {
    Visits.run(OtherLoop::route);
  }

  private static void route(boolean otherLoop) {
    EmbeddedChannel stream = new EmbeddedChannel();
    EmbeddedChannel channel = new EmbeddedChannel(new Sender(stream, otherLoop));
    channel.writeInbound(channel.alloc().directBuffer().writeLong(1));
    stream.runPendingTasks();
    channel.finishAndReleaseAll();
    stream.finishAndReleaseAll();
  }

  private static final class Sender extends SimpleChannelInboundHandler<ByteBuf> {
    private final EmbeddedChannel stream;
    private final boolean otherLoop;

    Sender(EmbeddedChannel stream, boolean otherLoop) {
      this.stream = stream;
      this.otherLoop = otherLoop;
    }

    @Override
    protected void channelRead0(ChannelHandlerContext ctx, ByteBuf packet) {
      sendToStream(packet);
    }

    private void sendToStream(ByteBuf packet) {
      if (otherLoop) {
        packet.retain();
        stream.eventLoop().execute(() -> write(packet));
      } else {
        write(packet);
      }
    }

    private void write(ByteBuf packet) {
      stream.writeAndFlush(packet.copy());
    }
  }
}
