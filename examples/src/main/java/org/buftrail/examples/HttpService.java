package org.buftrail.examples;

import io.netty.bootstrap.ServerBootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.group.ChannelGroup;
import io.netty.channel.group.DefaultChannelGroup;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import io.netty.handler.codec.http.HttpObjectAggregator;
import io.netty.handler.codec.http.HttpServerCodec;
import io.netty.util.concurrent.GlobalEventExecutor;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;

/** An HTTP server on the loopback interface with the endpoints of this package. */
final class HttpService implements AutoCloseable {
  private static final int LONGEST_BODY = 1 << 20;

  private final PlantedLeaks planted = new PlantedLeaks();
  private final LongAdder received = new LongAdder();
  private final LongAdder sent = new LongAdder();
  private final EventLoopGroup loops =
      new MultiThreadIoEventLoopGroup(2, NioIoHandler.newFactory());
  private final ChannelGroup clients = new DefaultChannelGroup(GlobalEventExecutor.INSTANCE);
  private final Channel server;

  /**
   * Listens.
   *
   * @param port 0 for any that is free
   * @throws InterruptedException if the thread was interrupted meanwhile
   */
  HttpService(int port) throws InterruptedException {
    Map<String, Endpoint> endpoints =
        Map.of(
            "GET /hello", new HelloEndpoint(),
            "POST /echo", new EchoEndpoint(),
            "GET /report", new ReportEndpoint(),
            "GET /proxy", new ProxyEndpoint(),
            "POST /orders", new OrderEndpoint(planted));
    try {
      server =
          new ServerBootstrap()
              .group(loops)
              .channel(NioServerSocketChannel.class)
              .childHandler(new Pipeline(endpoints))
              .bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), port))
              .sync()
              .channel();
    } catch (Throwable e) {
      loops.shutdownGracefully(0, 1, TimeUnit.SECONDS).awaitUninterruptibly();
      throw e;
    }
  }

  int port() {
    return ((InetSocketAddress) server.localAddress()).getPort();
  }

  PlantedLeaks planted() {
    return planted;
  }

  @Override
  public void close() {
    server.close().awaitUninterruptibly();
    clients.close().awaitUninterruptibly();
    loops.shutdownGracefully(0, 5, TimeUnit.SECONDS).awaitUninterruptibly();
  }

  /** What a connection passes through. */
  private final class Pipeline extends ChannelInitializer<Channel> {
    private final Map<String, Endpoint> endpoints;

    Pipeline(Map<String, Endpoint> endpoints) {
      this.endpoints = endpoints;
    }

    @Override
    protected void initChannel(Channel channel) {
      clients.add(channel);
      channel
          .pipeline()
          .addLast(
              new HttpServerCodec(),
              new HttpObjectAggregator(LONGEST_BODY),
              new RequestLog(received, sent),
              new Router(endpoints));
    }
  }
}
