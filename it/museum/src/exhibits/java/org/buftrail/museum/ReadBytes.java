// ISSUE netty/netty#12647
// DEPS io.netty:netty-codec:4.1.132.Final
// CULPRIT org.buftrail.museum.ReadBytes$Decoder.decode

package org.buftrail.museum;

import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.embedded.EmbeddedChannel;
import io.netty.handler.codec.MessageToMessageDecoder;
import java.util.List;

/** A decoder takes a piece out of a datagram, which is a new buffer and not a view. */
final class ReadBytes {
  public static void main(String[] args) throws Exception {
    Visits.run(ReadBytes::receive);
  }

  private static void receive(boolean encrypted) {
    EmbeddedChannel channel = new EmbeddedChannel(new Decoder());
    ByteBuf datagram = channel.alloc().directBuffer();
    channel.writeInbound(datagram.writeByte(encrypted ? 1 : 0).writeZero(32));
    channel.finishAndReleaseAll();
  }

  private static final class Decoder extends MessageToMessageDecoder<ByteBuf> {
    @Override
    protected void decode(ChannelHandlerContext ctx, ByteBuf datagram, List<Object> out) {
      if (datagram.readByte() == 0) {
        out.add(datagram.readLong());
        return;
      }
      ByteBuf key = datagram.readBytes(16);
      out.add(key.getLong(0) + datagram.readLong());
    }
  }
}
