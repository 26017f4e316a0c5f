// ISSUE apache/bookkeeper#3525
// DEPS io.netty:netty-transport:4.1.132.Final
// CULPRIT org.buftrail.museum.UnsentRead.sendResponse

package org.buftrail.museum;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.PooledByteBufAllocator;
import io.netty.channel.Channel;
import io.netty.channel.embedded.EmbeddedChannel;

/** What was read for a client is not sent to it any more, and not released either. */
final class UnsentRead {
  public static void main(String[] args) throws Exception {
    Visits.run(UnsentRead::read);
  }

  private static void read(boolean clientGone) {
    EmbeddedChannel channel = new EmbeddedChannel();
    ReadResponse response =
        new ReadResponse(7, PooledByteBufAllocator.DEFAULT.directBuffer().writeLong(1));
    if (clientGone) {
      channel.close();
    }
    sendResponse(response, channel);
    channel.finishAndReleaseAll();
  }

  private static void sendResponse(ReadResponse response, Channel channel) {
    if (!channel.isActive()) {
      return;
    }
    channel.writeAndFlush(response.data);
  }

  private static final class ReadResponse {
    private final long entry;
    private final ByteBuf data;

    ReadResponse(long entry, ByteBuf data) {
      this.entry = entry;
      this.data = data;
    }

    @Override
    public String toString() {
      return "entry " + entry;
    }
  }
}
