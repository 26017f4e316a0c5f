// ISSUE netty/netty#11727
// DEPS io.netty:netty-codec-stomp:4.1.68.Final
// REPAIRED 4.1.69.Final
// CULPRIT io.netty.handler.codec.stomp.StompSubframeDecoder.decode
// INCLUDE io.netty.handler.codec

package org.buftrail.museum;

import io.netty.buffer.ByteBuf;
import io.netty.channel.embedded.EmbeddedChannel;
import io.netty.handler.codec.stomp.StompSubframeDecoder;
import java.nio.charset.StandardCharsets;

/** A frame whose last byte is not zero: its body is forgotten for the error. */
final class StompWithoutEnd {
  private static final String FRAME = "SEND\ndestination:/queue/a\ncontent-length:4\n\nbody";

  public static void main(String[] args) throws Exception {
    Visits.run(StompWithoutEnd::receive);
  }

  private static void receive(boolean wrong) {
    EmbeddedChannel channel = new EmbeddedChannel(new StompSubframeDecoder(true));
    ByteBuf frame = channel.alloc().directBuffer();
    frame.writeBytes(FRAME.getBytes(StandardCharsets.US_ASCII)).writeByte(wrong ? 1 : 0);
    channel.writeInbound(frame);
    channel.finishAndReleaseAll();
  }
}
