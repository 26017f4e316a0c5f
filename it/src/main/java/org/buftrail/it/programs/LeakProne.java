package org.buftrail.it.programs;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.CompositeByteBuf;
import io.netty.buffer.DefaultByteBufHolder;
import io.netty.buffer.UnpooledByteBufAllocator;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.SimpleChannelInboundHandler;
import io.netty.channel.embedded.EmbeddedChannel;
import io.netty.handler.codec.MessageToMessageDecoder;
import java.util.List;

/** Common mistakes with Netty's buffers, each once. */
public final class LeakProne {
  private static final ByteBufAllocator ALLOCATOR = UnpooledByteBufAllocator.DEFAULT;
  private static final Garbage LEAKED = new Garbage();

  private LeakProne() {}

  /** Runs the program. */
  public static void main(String[] args) throws InterruptedException {
    readIntoANewBuffer();
    sliceRetained();
    copied();
    thrownBeforeTheRelease();
    heldByAHolderThatIsForgotten();
    swallowedByAHandler();
    retainedInAHandlerThatReleases();
    decodedButNeitherReadNorReleased();
    componentTakenOut();
    LEAKED.awaitCollection();
  }

  private static ByteBuf lost(ByteBuf buffer) {
    LEAKED.add(buffer);
    return buffer;
  }

  private static void readIntoANewBuffer() {
    ByteBuf whole = ALLOCATOR.directBuffer(8).writeLong(1);
    LEAKED.add(whole.readBytes(4));
    whole.release();
  }

  private static void sliceRetained() {
    ByteBuf whole = ALLOCATOR.directBuffer(8).writeLong(1);
    LEAKED.add(whole.readRetainedSlice(4));
    whole.release();
  }

  private static void copied() {
    ByteBuf whole = ALLOCATOR.directBuffer(8).writeLong(1);
    LEAKED.add(whole.copy());
    whole.release();
  }

  private static void thrownBeforeTheRelease() {
    try {
      ByteBuf small = ALLOCATOR.directBuffer(1, 1);
      LEAKED.add(small);
      small.writeLong(1);
      small.release();
    } catch (IndexOutOfBoundsException expected) {
      // The catching method has no buffer to release.
    }
  }

  private static void heldByAHolderThatIsForgotten() {
    LEAKED.add(new DefaultByteBufHolder(lost(ALLOCATOR.directBuffer(8))));
  }

  private static void swallowedByAHandler() {
    EmbeddedChannel channel = new EmbeddedChannel(new Swallowing());
    channel.writeInbound(lost(ALLOCATOR.directBuffer(8)));
    channel.finishAndReleaseAll();
  }

  private static void retainedInAHandlerThatReleases() {
    EmbeddedChannel channel = new EmbeddedChannel(new Retaining());
    channel.writeInbound(lost(ALLOCATOR.directBuffer(8)));
    channel.finishAndReleaseAll();
  }

  private static void decodedButNeitherReadNorReleased() {
    EmbeddedChannel channel = new EmbeddedChannel(new Wrapping());
    channel.writeInbound(lost(ALLOCATOR.directBuffer(8)));
    channel.finish();
  }

  private static void componentTakenOut() {
    CompositeByteBuf composite = ALLOCATOR.compositeHeapBuffer();
    composite.addComponent(true, lost(ALLOCATOR.directBuffer(8).writeLong(1)));
    composite.component(0).retain();
    composite.release();
  }

  /** Neither releases nor passes on. */
  private static final class Swallowing extends ChannelInboundHandlerAdapter {
    @Override
    public void channelRead(ChannelHandlerContext ctx, Object message) {}
  }

  /** Keeps what its superclass releases once. */
  private static final class Retaining extends SimpleChannelInboundHandler<ByteBuf> {
    @Override
    protected void channelRead0(ChannelHandlerContext ctx, ByteBuf message) {
      message.retain();
    }
  }

  /** Makes messages that nobody reads. */
  private static final class Wrapping extends MessageToMessageDecoder<ByteBuf> {
    @Override
    protected void decode(ChannelHandlerContext ctx, ByteBuf message, List<Object> out) {
      out.add(new DefaultByteBufHolder(message.retain()));
    }
  }
}
