// ISSUE apache/dubbo#13102
// DEPS io.netty:netty-codec-http2:4.1.132.Final
// CULPRIT org.buftrail.museum.RejectedFrame$Stream.onData

package org.buftrail.museum;

import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.SimpleChannelInboundHandler;
import io.netty.channel.embedded.EmbeddedChannel;
import io.netty.handler.codec.http2.DefaultHttp2DataFrame;
import io.netty.handler.codec.http2.Http2DataFrame;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;

/** A frame is handed to an executor that takes no more, and nobody releases it then. */
final class RejectedFrame {
  public static void main(String[] args) throws Exception {
    Visits.run(RejectedFrame::receive);
  }

  private static void receive(boolean full) {
    Executor executor =
        task -> {
          if (full) {
            throw new RejectedExecutionException("full");
          }
          task.run();
        };
    EmbeddedChannel channel = new EmbeddedChannel(new Frames(new Stream(executor)));
    try {
      channel.writeInbound(new DefaultHttp2DataFrame(channel.alloc().directBuffer().writeLong(1)));
    } catch (RejectedExecutionException expected) {
      // The call has timed out already.
    }
    channel.finishAndReleaseAll();
  }

  private static final class Frames extends SimpleChannelInboundHandler<Http2DataFrame> {
    private final Stream stream;

    Frames(Stream stream) {
      this.stream = stream;
    }

    @Override
    protected void channelRead0(ChannelHandlerContext ctx, Http2DataFrame frame) {
      stream.onData(frame.content().retain());
    }
  }

  private static final class Stream {
    private final Executor executor;
    private long sum;

    Stream(Executor executor) {
      this.executor = executor;
    }

    void onData(ByteBuf data) {
      executor.execute(() -> deframe(data));
    }

    private void deframe(ByteBuf data) {
      sum += data.readLong();
      data.release();
    }
  }
}
