// ISSUE netty/netty#11633
// DEPS io.netty:netty-codec-http2:4.1.67.Final
// REPAIRED 4.1.68.Final
// CULPRIT io.netty.handler.codec.http2.DefaultHttp2FrameWriter.writeData
// INCLUDE io.netty.handler.codec.http2

package org.buftrail.museum;

import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.embedded.EmbeddedChannel;
import io.netty.handler.codec.http2.DefaultHttp2FrameWriter;

/** A frame without data but with padding: the writer forgets the empty buffer. */
final class PaddedHttp2Data {
  public static void main(String[] args) throws Exception {
    Visits.run(PaddedHttp2Data::send);
  }

  private static void send(boolean empty) {
    EmbeddedChannel channel = new EmbeddedChannel(new ChannelInboundHandlerAdapter());
    ChannelHandlerContext ctx = channel.pipeline().firstContext();
    ByteBuf body = channel.alloc().directBuffer(32);
    if (!empty) {
      body.writeLong(42);
    }
    new DefaultHttp2FrameWriter().writeData(ctx, 1, body, 2, true, ctx.newPromise());
    channel.finishAndReleaseAll();
  }
}
