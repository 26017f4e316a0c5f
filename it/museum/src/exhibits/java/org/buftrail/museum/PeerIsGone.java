// ISSUE netty/netty#10739
// DEPS io.netty:netty-transport:4.1.132.Final
// CULPRIT org.buftrail.museum.PeerIsGone$Relay.forward

package org.buftrail.museum;

import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.SimpleChannelInboundHandler;
import io.netty.channel.embedded.EmbeddedChannel;

/** A relay retains what it receives for its peer, and the peer is gone. */
final class PeerIsGone {
  public static void main(String[] args) throws Exception {
    Visits.run(PeerIsGone::relay);
  }

  private static void relay(boolean gone) {
    EmbeddedChannel peer = new EmbeddedChannel();
    EmbeddedChannel channel = new EmbeddedChannel(new Relay(peer));
    if (gone) {
      peer.close();
    }
    channel.writeInbound(channel.alloc().directBuffer().writeLong(1));
    channel.finishAndReleaseAll();
    peer.finishAndReleaseAll();
  }

  private static final class Relay extends SimpleChannelInboundHandler<ByteBuf> {
    private final Channel peer;

    Relay(Channel peer) {
      this.peer = peer;
    }

    @Override
    protected void channelRead0(ChannelHandlerContext ctx, ByteBuf data) {
      forward(data.retain());
    }

    private void forward(ByteBuf data) {
      if (peer.isActive()) {
        peer.writeAndFlush(data);
      }
    }
  }
}
