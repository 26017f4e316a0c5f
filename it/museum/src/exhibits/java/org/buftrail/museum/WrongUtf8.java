// ISSUE netty/netty#9909
// DEPS io.netty:netty-codec-http:4.1.44.Final
// REPAIRED 4.1.45.Final
// CULPRIT io.netty.handler.codec.http.websocketx.Utf8FrameValidator.channelRead
// INCLUDE io.netty.handler.codec.http

package org.buftrail.museum;

import io.netty.buffer.ByteBuf;
import io.netty.channel.embedded.EmbeddedChannel;
import io.netty.handler.codec.CorruptedFrameException;
import io.netty.handler.codec.http.websocketx.TextWebSocketFrame;
import io.netty.handler.codec.http.websocketx.Utf8FrameValidator;

/** The validator throws, and keeps the frame that it refuses. */
final class WrongUtf8 {
  public static void main(String[] args) throws Exception {
    Visits.run(WrongUtf8::receive);
  }

  private static void receive(boolean wrong) {
    EmbeddedChannel channel = new EmbeddedChannel(new Utf8FrameValidator());
    ByteBuf text = channel.alloc().directBuffer().writeByte(wrong ? 0xF8 : 'a').writeByte('b');
    try {
      channel.writeInbound(new TextWebSocketFrame(text));
    } catch (CorruptedFrameException expected) {
      // The peer is told.
    }
    channel.finishAndReleaseAll();
  }
}
