package org.buftrail.it.programs;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.ByteBufInputStream;
import io.netty.buffer.CompositeByteBuf;
import io.netty.buffer.DefaultByteBufHolder;
import io.netty.buffer.PooledByteBufAllocator;
import io.netty.buffer.Unpooled;
import io.netty.buffer.UnpooledByteBufAllocator;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.SimpleChannelInboundHandler;
import io.netty.channel.embedded.EmbeddedChannel;
import io.netty.handler.codec.LengthFieldBasedFrameDecoder;
import io.netty.handler.codec.LengthFieldPrepender;
import io.netty.util.ReferenceCountUtil;
import java.io.IOException;

/** How Netty's buffers are used as they should be, each way with both kinds of memory. */
public final class CleanIdioms {
  private CleanIdioms() {}

  /** Runs the program. */
  public static void main(String[] args) throws Exception {
    for (ByteBufAllocator allocator :
        new ByteBufAllocator[] {UnpooledByteBufAllocator.DEFAULT, PooledByteBufAllocator.DEFAULT}) {
      releasedFinally(allocator);
      releasedByAHandler(allocator);
      passedOnToTheEndOfThePipeline(allocator);
      framed(allocator);
      streamed(allocator);
      composed(allocator);
      composedInVain(allocator);
      replaced(allocator);
      sliced(allocator);
    }
    System.gc();
    Thread.sleep(200);
    System.gc();
  }

  private static void releasedFinally(ByteBufAllocator allocator) {
    ByteBuf buffer = allocator.buffer(8);
    try {
      buffer.writeLong(1);
    } finally {
      ReferenceCountUtil.release(buffer);
    }
  }

  private static void releasedByAHandler(ByteBufAllocator allocator) {
    EmbeddedChannel channel = new EmbeddedChannel(new Echo());
    channel.writeInbound(allocator.buffer(8).writeLong(1));
    channel.finishAndReleaseAll();
  }

  private static void passedOnToTheEndOfThePipeline(ByteBufAllocator allocator) {
    EmbeddedChannel channel = new EmbeddedChannel(new ChannelInboundHandlerAdapter());
    channel.writeInbound(allocator.buffer(8).writeLong(1));
    channel.finishAndReleaseAll();
  }

  private static void framed(ByteBufAllocator allocator) {
    EmbeddedChannel channel =
        new EmbeddedChannel(
            new LengthFieldBasedFrameDecoder(64, 0, 2, 0, 2), new LengthFieldPrepender(2));
    channel.config().setAllocator(allocator);
    channel.writeOutbound(allocator.buffer(8).writeLong(1));
    for (ByteBuf part = channel.readOutbound(); part != null; part = channel.readOutbound()) {
      channel.writeInbound(part);
    }
    ByteBuf frame = channel.readInbound();
    frame.release();
    channel.finishAndReleaseAll();
  }

  private static void streamed(ByteBufAllocator allocator) throws IOException {
    try (ByteBufInputStream in =
        new ByteBufInputStream(allocator.buffer(8).writeLong(1), 8, true)) {
      in.readLong();
    }
  }

  private static void composed(ByteBufAllocator allocator) {
    CompositeByteBuf composite = allocator.compositeBuffer();
    composite.addComponents(true, allocator.buffer(8).writeLong(1), allocator.buffer(8));
    composite.readLong();
    composite.discardReadComponents();
    composite.release();
  }

  private static void composedInVain(ByteBufAllocator allocator) {
    CompositeByteBuf composite = allocator.compositeBuffer();
    try {
      composite.addComponent(true, 7, allocator.buffer(8).writeLong(1));
      throw new IllegalStateException("a component after a gap");
    } catch (IndexOutOfBoundsException expected) {
      // Netty has released what it did not take in.
    } finally {
      composite.release();
    }
  }

  private static void replaced(ByteBufAllocator allocator) {
    DefaultByteBufHolder holder = new DefaultByteBufHolder(allocator.buffer(8));
    DefaultByteBufHolder other = (DefaultByteBufHolder) holder.replace(Unpooled.EMPTY_BUFFER);
    other.release();
    holder.release();
  }

  private static void sliced(ByteBufAllocator allocator) {
    ByteBuf buffer = allocator.buffer(8).writeLong(1);
    ByteBuf slice = buffer.readSlice(4).retain();
    buffer.release();
    slice.release();
  }

  /** Answers with what it was sent. */
  private static final class Echo extends SimpleChannelInboundHandler<ByteBuf> {
    @Override
    @SuppressWarnings("FutureReturnValueIgnored") // released whatever becomes of it
    protected void channelRead0(ChannelHandlerContext ctx, ByteBuf message) {
      ctx.writeAndFlush(message.retain());
    }
  }
}
