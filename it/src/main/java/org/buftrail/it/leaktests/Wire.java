package org.buftrail.it.leaktests;

import io.netty.bootstrap.Bootstrap;
import io.netty.bootstrap.ServerBootstrap;
import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.nio.NioEventLoopGroup;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import io.netty.channel.socket.nio.NioSocketChannel;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;

/** A server that keeps what begins with {@code L}, and clients; over TCP on this host. */
final class Wire implements AutoCloseable {
  static final byte KEPT = 'L';
  static final byte RELEASED = 'R';

  private final EventLoopGroup loops = new NioEventLoopGroup(2);
  private final Channel server;

  Wire() {
    server =
        new ServerBootstrap()
            .group(loops)
            .channel(NioServerSocketChannel.class)
            .childHandler(
                new ChannelInitializer<Channel>() {
                  @Override
                  protected void initChannel(Channel channel) {
                    channel.pipeline().addLast(new Answers());
                  }
                })
            .bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0))
            .syncUninterruptibly()
            .channel();
  }

  /** Answers a byte with the same byte. */
  private static final class Answers extends ChannelInboundHandlerAdapter {
    @Override
    public void channelRead(ChannelHandlerContext context, Object message) {
      ByteBuf request = (ByteBuf) message;
      byte first = request.getByte(request.readerIndex());
      if (first != KEPT) {
        request.release();
      }
      ByteBuf answer = context.alloc().directBuffer(1).writeByte(RELEASED);
      Future<?> unused = context.writeAndFlush(answer);
    }
  }

  private static final class Client extends ChannelInboundHandlerAdapter {
    final CompletableFuture<Byte> answer = new CompletableFuture<>();
    private final boolean releases;

    Client(boolean releases) {
      this.releases = releases;
    }

    @Override
    public void channelRead(ChannelHandlerContext context, Object message) {
      ByteBuf response = (ByteBuf) message;
      byte first = response.getByte(response.readerIndex());
      if (releases) {
        response.release();
      }
      answer.complete(first);
    }
  }

  /**
   * One request on a connection of its own.
   *
   * @param request {@link #KEPT} or {@link #RELEASED}
   * @param releases whether the client releases the response
   */
  void ask(byte request, boolean releases) {
    ask(loops, server.localAddress(), request, releases);
  }

  private static void ask(
      EventLoopGroup loops, SocketAddress address, byte request, boolean releases) {
    Client client = new Client(releases);
    Channel channel =
        new Bootstrap()
            .group(loops)
            .channel(NioSocketChannel.class)
            .handler(client)
            .connect(address)
            .syncUninterruptibly()
            .channel();
    channel.writeAndFlush(channel.alloc().directBuffer(1).writeByte(request)).syncUninterruptibly();
    client.answer.join();
    channel.close().syncUninterruptibly();
  }

  @Override
  public void close() {
    server.close().syncUninterruptibly();
    loops.shutdownGracefully(0, 1, TimeUnit.SECONDS).syncUninterruptibly();
  }
}
