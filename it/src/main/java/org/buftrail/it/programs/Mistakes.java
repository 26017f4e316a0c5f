package org.buftrail.it.programs;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.UnpooledByteBufAllocator;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.embedded.EmbeddedChannel;
import io.netty.util.ReferenceCountUtil;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.Queue;

/**
 * Five mistakes that leak, each beside its fix, as docs/fix-a-leak.md shows them.
 *
 * <p>Argument: the number of the mistake, from 1 on. It is made twice, its fix does it right three
 * times.
 */
@SuppressWarnings("FutureReturnValueIgnored") // nothing fails in an embedded channel
public final class Mistakes {
  private static final Garbage LOST = new Garbage();

  private Mistakes() {}

  /** Runs the program. */
  public static void main(String[] args) throws InterruptedException {
    for (int i = 0; i < 5; i++) {
      boolean isFixed = i > 1;
      switch (args[0]) {
        case "1":
          first(isFixed);
          break;
        case "2":
          second(isFixed);
          break;
        case "3":
          third(isFixed);
          break;
        case "4":
          fourth(isFixed);
          break;
        default:
          fifth(isFixed);
          break;
      }
    }
    LOST.awaitCollection();
  }

  /** A buffer with a number. */
  public static ByteBuf number(int value) {
    ByteBuf buffer = UnpooledByteBufAllocator.DEFAULT.directBuffer(16).writeInt(value);
    LOST.add(buffer);
    return buffer;
  }

  /** A buffer with a name behind its length. */
  public static ByteBuf name(String name) {
    byte[] bytes = name.getBytes(StandardCharsets.UTF_8);
    ByteBuf buffer = UnpooledByteBufAllocator.DEFAULT.directBuffer(16);
    LOST.add(buffer);
    return buffer.writeByte(bytes.length).writeBytes(bytes);
  }

  private static void first(boolean isFixed) {
    ByteBuf order = number(-1);
    try {
      int id = isFixed ? Fixed.idOf(order) : idOf(order);
      throw new IllegalStateException("accepted " + id);
    } catch (IllegalArgumentException expected) {
      // As an endpoint that answers with an error.
    }
  }

  private static void second(boolean isFixed) {
    EmbeddedChannel channel =
        new EmbeddedChannel(isFixed ? new Fixed.Heartbeats() : new Heartbeats());
    channel.writeInbound(number(0));
    channel.finishAndReleaseAll();
  }

  private static void third(boolean isFixed) {
    ByteBuf message = name("Ada");
    String name = isFixed ? Fixed.nameOf(message) : nameOf(message);
    message.release();
    if (!name.equals("Ada")) {
      throw new IllegalStateException(name);
    }
  }

  private static void fourth(boolean isFixed) {
    EmbeddedChannel channel = new EmbeddedChannel();
    if (isFixed) {
      Fixed.answer(channel, number(1));
    } else {
      answer(channel, number(1));
    }
    // As a socket would, once it is sent.
    channel.finishAndReleaseAll();
  }

  private static void fifth(boolean isFixed) {
    EmbeddedChannel channel = new EmbeddedChannel(isFixed ? new Fixed.Batches() : new Batches());
    channel.writeInbound(number(1));
    channel.finishAndReleaseAll();
  }

  /** An exception passes the release by. */
  public static int idOf(ByteBuf order) {
    int id = order.readInt();
    if (id < 0) {
      throw new IllegalArgumentException("not an id: " + id);
    }
    order.release();
    return id;
  }

  /** A handler that neither passes a message on nor releases it. */
  public static final class Heartbeats extends ChannelInboundHandlerAdapter {
    @Override
    public void channelRead(ChannelHandlerContext ctx, Object message) {
      if (((ByteBuf) message).getInt(0) != 0) {
        ctx.fireChannelRead(message);
      }
    }
  }

  /** A new buffer where none was expected. */
  public static String nameOf(ByteBuf message) {
    int length = message.readByte();
    ByteBuf name = message.readBytes(length);
    LOST.add(name);
    return name.toString(StandardCharsets.UTF_8);
  }

  /** One reference too many. */
  public static void answer(Channel channel, ByteBuf answer) {
    channel.writeAndFlush(answer.retain());
  }

  /** What waits when the connection closes. */
  public static final class Batches extends ChannelInboundHandlerAdapter {
    private final Queue<ByteBuf> waiting = new ArrayDeque<>();

    @Override
    public void channelRead(ChannelHandlerContext ctx, Object message) {
      waiting.add((ByteBuf) message);
    }
  }

  /** The same, done right. */
  public static final class Fixed {
    private Fixed() {}

    /** Releases on every way out. */
    public static int idOf(ByteBuf order) {
      try {
        int id = order.readInt();
        if (id < 0) {
          throw new IllegalArgumentException("not an id: " + id);
        }
        return id;
      } finally {
        order.release();
      }
    }

    /** Passes a message on or releases it. */
    public static final class Heartbeats extends ChannelInboundHandlerAdapter {
      @Override
      public void channelRead(ChannelHandlerContext ctx, Object message) {
        if (((ByteBuf) message).getInt(0) != 0) {
          ctx.fireChannelRead(message);
        } else {
          ReferenceCountUtil.release(message);
        }
      }
    }

    /** Makes no buffer. */
    public static String nameOf(ByteBuf message) {
      int length = message.readByte();
      return message.readCharSequence(length, StandardCharsets.UTF_8).toString();
    }

    /** Gives its reference away. */
    public static void answer(Channel channel, ByteBuf answer) {
      channel.writeAndFlush(answer);
    }

    /** Releases what waits. */
    public static final class Batches extends ChannelInboundHandlerAdapter {
      private final Queue<ByteBuf> waiting = new ArrayDeque<>();

      @Override
      public void channelRead(ChannelHandlerContext ctx, Object message) {
        waiting.add((ByteBuf) message);
      }

      @Override
      public void handlerRemoved(ChannelHandlerContext ctx) {
        waiting.forEach(ByteBuf::release);
        waiting.clear();
      }
    }
  }
}
