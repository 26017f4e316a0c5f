package org.buftrail.it.programs;

import io.netty.bootstrap.Bootstrap;
import io.netty.bootstrap.ServerBootstrap;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.DefaultByteBufHolder;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.EventLoopGroup;
import io.netty.handler.codec.ByteToMessageDecoder;
import java.util.List;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;

/**
 * Cuts what arrives over a socket into frames of 16 bytes, as slices with a reference of their own,
 * and hands them on inside a message; every fifth of 20 is forgotten.
 */
@SuppressWarnings({"deprecation", "FutureReturnValueIgnored"}) // Netty 4.1 has no other groups
public final class Frames {
  private static final int FRAMES = 20;
  private static final int FRAME = 16;
  private static final Semaphore HANDLED = new Semaphore(0);
  private static final Garbage LEAKED = new Garbage();

  private Frames() {}

  /**
   * Runs the program.
   *
   * @param args {@code nio}, {@code epoll} or {@code io_uring}
   */
  public static void main(String[] args) throws Exception {
    Transport transport = Transport.of(args[0]);
    EventLoopGroup group = transport.group();
    try {
      Channel server =
          new ServerBootstrap()
              .group(group)
              .channel(transport.server())
              .childHandler(new Pipeline())
              .bind("127.0.0.1", 0)
              .sync()
              .channel();
      Channel client =
          new Bootstrap()
              .group(group)
              .channel(transport.client())
              .handler(new Pipeline())
              .connect(server.localAddress())
              .sync()
              .channel();
      for (int i = 0; i < FRAMES; i++) {
        client.writeAndFlush(frame(client)).sync();
        if (!HANDLED.tryAcquire(30, TimeUnit.SECONDS)) {
          throw new IllegalStateException("frame " + i + " did not arrive");
        }
      }
      client.close().sync();
      server.close().sync();
    } finally {
      group.shutdownGracefully(0, 10, TimeUnit.SECONDS).sync();
    }
    LEAKED.awaitCollection();
  }

  private static ByteBuf frame(Channel client) {
    return client.alloc().ioBuffer(FRAME).writeZero(FRAME);
  }

  /** What a connection goes through. */
  private static final class Pipeline extends ChannelInitializer<Channel> {
    @Override
    protected void initChannel(Channel channel) {
      channel.pipeline().addLast(new Cutter(), new Consumer());
    }
  }

  /** A frame as the consumer knows it. */
  private static final class Frame extends DefaultByteBufHolder {
    Frame(ByteBuf content) {
      super(content);
    }
  }

  /** Cuts. */
  private static final class Cutter extends ByteToMessageDecoder {
    @Override
    protected void decode(ChannelHandlerContext ctx, ByteBuf in, List<Object> out) {
      if (in.readableBytes() >= FRAME) {
        out.add(new Frame(in.readRetainedSlice(FRAME)));
      }
    }
  }

  /** Knows its messages as objects. */
  private static final class Consumer extends ChannelInboundHandlerAdapter {
    private int count;

    @Override
    public void channelRead(ChannelHandlerContext ctx, Object message) {
      if (++count % 5 == 0) {
        forget((Frame) message);
      } else {
        consume((Frame) message);
      }
      HANDLED.release();
    }

    private static void forget(Frame frame) {
      LEAKED.add(frame.content().unwrap());
    }

    private static void consume(Frame frame) {
      frame.release();
    }
  }
}
