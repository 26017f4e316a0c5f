package org.buftrail.it.leaktests;

import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandler;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelOutboundHandlerAdapter;
import io.netty.channel.ChannelPromise;
import io.netty.channel.embedded.EmbeddedChannel;
import io.netty.util.IllegalReferenceCountException;
import io.netty.util.concurrent.Promise;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * Code under test that writes a buffer, and releases it whatever happens: a buffer that was
 * released before fails it twice, and only the first of the two exceptions is passed on.
 */
final class Writer {
  private Writer() {}

  static void write(ByteBuf buffer, Promise<Object> done) {
    try {
      done.setSuccess(encode(buffer));
    } catch (IllegalReferenceCountException e) {
      Buffers.releaseQuietly(buffer);
      done.setFailure(e);
    }
  }

  static void write(ByteBuf buffer, CompletableFuture<Object> done) {
    try {
      done.complete(encode(buffer));
    } catch (IllegalReferenceCountException e) {
      Buffers.releaseQuietly(buffer);
      done.completeExceptionally(e);
    }
  }

  /** Drops a second one too, which comes between. */
  static void write(ByteBuf buffer, ByteBuf trailer, Promise<Object> done) {
    try {
      done.setSuccess(encode(buffer));
    } catch (IllegalReferenceCountException e) {
      Buffers.releaseQuietly(trailer);
      Buffers.releaseQuietly(buffer);
      done.setFailure(e);
    }
  }

  /** Says nothing of what fails where it is told to drop the buffer. */
  static void writeOrDrop(ByteBuf buffer, boolean isDropped, Promise<Object> done) {
    if (!isDropped) {
      write(buffer, done);
    } else {
      Buffers.releaseQuietly(buffer);
    }
  }

  /** Nothing comes back: where it fails at all, it fails silently. */
  static void writeQuietly(ByteBuf buffer) {
    try {
      Object unused = encode(buffer);
    } catch (IllegalReferenceCountException swallowed) {
      Buffers.releaseQuietly(buffer);
    }
  }

  /** A channel whose first handler drops what the second could not read, and says nothing. */
  static EmbeddedChannel channel() {
    return new EmbeddedChannel(new Dropping(), new Reading());
  }

  static ChannelHandler reading() {
    return new Reading();
  }

  /** The end of a pipeline that releases what is written. */
  static ChannelHandler releasing() {
    return new Releasing();
  }

  private static final class Releasing extends ChannelOutboundHandlerAdapter {
    @Override
    public void write(ChannelHandlerContext context, Object message, ChannelPromise promise) {
      ((ByteBuf) message).release();
      promise.setSuccess();
    }
  }

  /** A channel of this kind throws what its handlers could not do. */
  static void feed(ByteBuf buffer) {
    try {
      new EmbeddedChannel(new Reading()).writeInbound(buffer);
    } catch (IllegalReferenceCountException e) {
      Buffers.releaseQuietly(buffer);
      throw e;
    }
  }

  private static final class Reading extends ChannelInboundHandlerAdapter {
    @Override
    public void channelRead(ChannelHandlerContext context, Object message) {
      Object unused = encode((ByteBuf) message);
    }
  }

  private static final class Dropping extends ChannelInboundHandlerAdapter {
    private @Nullable ByteBuf last;

    @Override
    public void channelRead(ChannelHandlerContext context, Object message) {
      last = (ByteBuf) message;
      context.fireChannelRead(message);
    }

    @Override
    public void channelReadComplete(ChannelHandlerContext context) {
      if (last != null) {
        Buffers.releaseQuietly(last);
      }
    }
  }

  private static Object encode(ByteBuf buffer) {
    return buffer.readLong();
  }
}
