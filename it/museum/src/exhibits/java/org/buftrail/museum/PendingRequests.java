// ISSUE streamnative/kop#1626
// DEPS io.netty:netty-transport:4.1.132.Final
// CULPRIT org.buftrail.museum.PendingRequests$Kafka.channelInactive
// CULPRIT org.buftrail.museum.PendingRequests$Request.cancel

package org.buftrail.museum;

import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.embedded.EmbeddedChannel;
import java.util.ArrayDeque;
import java.util.Queue;

/** Requests wait for their turn while the connection closes, and are dropped with it. */
final class PendingRequests {
  public static void main(String[] args) throws Exception {
    Visits.run(PendingRequests::connection);
  }

  private static void connection(boolean closesEarly) {
    Kafka handler = new Kafka();
    EmbeddedChannel channel = new EmbeddedChannel(handler);
    channel.writeInbound(channel.alloc().directBuffer().writeLong(1));
    if (!closesEarly) {
      handler.answerAll();
    }
    channel.finishAndReleaseAll();
  }

  private static final class Kafka extends ChannelInboundHandlerAdapter {
    private final Queue<Request> pending = new ArrayDeque<>();

    @Override
    public void channelRead(ChannelHandlerContext ctx, Object message) {
      pending.add(new Request((ByteBuf) message));
    }

    void answerAll() {
      for (Request request = pending.poll(); request != null; request = pending.poll()) {
        request.answer();
      }
    }

    @Override
    public void channelInactive(ChannelHandlerContext ctx) {
      for (Request request = pending.poll(); request != null; request = pending.poll()) {
        request.cancel();
      }
    }
  }

  private static final class Request {
    private final ByteBuf buffer;
    private boolean cancelled;

    Request(ByteBuf buffer) {
      this.buffer = buffer;
    }

    void answer() {
      buffer.release();
    }

    void cancel() {
      cancelled = true;
    }
  }
}
