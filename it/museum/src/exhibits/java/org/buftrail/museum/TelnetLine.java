// ISSUE apache/dubbo#14577
// DEPS org.apache.dubbo:dubbo:3.3.0-beta.5
// DEPS io.netty:netty-codec:4.1.112.Final
// REPAIRED 3.3.0
// CULPRIT org.apache.dubbo.qos.server.handler.CtrlCHandler.channelRead0
// CULPRIT org.apache.dubbo.qos.server.handler.CtrlCHandler.<init>
// INCLUDE org.apache.dubbo.qos

package org.buftrail.museum;

import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.embedded.EmbeddedChannel;
import io.netty.util.IllegalReferenceCountException;
import io.netty.util.ReferenceCountUtil;
import org.apache.dubbo.qos.server.handler.CtrlCHandler;

/** A handler passes a line on, and its superclass releases it after that. */
final class TelnetLine {
  private static final byte[] CTRL_C = {(byte) 0xff, (byte) 0xf4, (byte) 0xff, (byte) 0xfd, 6};

  public static void main(String[] args) throws Exception {
    Visits.run(TelnetLine::type);
  }

  private static void type(boolean line) {
    EmbeddedChannel channel = new EmbeddedChannel(new CtrlCHandler(), new Console());
    byte[] typed = line ? new byte[] {'l', 's'} : CTRL_C;
    try {
      channel.writeInbound(channel.alloc().directBuffer().writeBytes(typed));
    } catch (IllegalReferenceCountException expected) {
      // The second release.
    }
    channel.finishAndReleaseAll();
  }

  private static final class Console extends ChannelInboundHandlerAdapter {
    @Override
    public void channelRead(ChannelHandlerContext ctx, Object message) {
      ReferenceCountUtil.release(message);
    }
  }
}
