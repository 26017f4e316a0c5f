package org.buftrail.it.programs;

import static java.nio.charset.StandardCharsets.US_ASCII;

import io.netty.bootstrap.ServerBootstrap;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.SimpleChannelInboundHandler;
import io.netty.channel.nio.NioEventLoopGroup;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import io.netty.handler.codec.http.DefaultFullHttpResponse;
import io.netty.handler.codec.http.FullHttpRequest;
import io.netty.handler.codec.http.HttpObjectAggregator;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.HttpServerCodec;
import io.netty.handler.codec.http.HttpVersion;
import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslContextBuilder;
import io.netty.handler.ssl.SslProvider;
import java.io.FileInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetSocketAddress;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.TrustManagerFactory;

/**
 * An HTTPS service that answers what it is sent, and forgets the requests that it refuses. Sends
 * itself 10 requests to answer and 3 to refuse, 100 bytes each, by a client without Netty.
 */
@SuppressWarnings({"deprecation", "FutureReturnValueIgnored"}) // Netty 4.1 has no other groups
public final class Https {
  private static final Garbage LEAKED = new Garbage();
  private static final char[] PASSWORD = "changeit".toCharArray();

  private Https() {}

  /**
   * Runs the program.
   *
   * @param args a PKCS#12 file with one self-signed key
   */
  public static void main(String[] args) throws Exception {
    KeyStore keys = KeyStore.getInstance("PKCS12");
    try (InputStream in = new FileInputStream(args[0])) {
      keys.load(in, PASSWORD);
    }
    EventLoopGroup group = new NioEventLoopGroup(1);
    try {
      SslContext ssl = serverContext(keys);
      Channel server =
          new ServerBootstrap()
              .group(group)
              .channel(NioServerSocketChannel.class)
              .childHandler(new Pipeline(ssl))
              .bind("127.0.0.1", 0)
              .sync()
              .channel();
      request(keys, ((InetSocketAddress) server.localAddress()).getPort());
      server.close().sync();
    } finally {
      group.shutdownGracefully(0, 10, java.util.concurrent.TimeUnit.SECONDS).sync();
    }
    LEAKED.awaitCollection();
  }

  private static SslContext serverContext(KeyStore keys)
      throws GeneralSecurityException, IOException {
    KeyManagerFactory factory =
        KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
    factory.init(keys, PASSWORD);
    return SslContextBuilder.forServer(factory).sslProvider(SslProvider.JDK).build();
  }

  private static void request(KeyStore keys, int port) throws Exception {
    TrustManagerFactory trust =
        TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
    trust.init(keys);
    SSLContext context = SSLContext.getInstance("TLS");
    context.init(null, trust.getTrustManagers(), null);
    try (SSLSocket socket =
        (SSLSocket) context.getSocketFactory().createSocket("127.0.0.1", port)) {
      for (int i = 0; i < 13; i++) {
        send(socket, i % 4 == 3 ? "/refused" : "/answered");
      }
    }
  }

  private static void send(SSLSocket socket, String path) throws IOException {
    String head = "POST " + path + " HTTP/1.1\r\nhost: localhost\r\ncontent-length: 100\r\n\r\n";
    socket.getOutputStream().write((head + "x".repeat(100)).getBytes(US_ASCII));
    StringBuilder answer = new StringBuilder();
    byte[] buffer = new byte[1024];
    String end = path.equals("/refused") ? "\r\n\r\n" : "x".repeat(100);
    while (answer.indexOf(end) < 0) {
      int read = socket.getInputStream().read(buffer);
      if (read < 0) {
        throw new IOException("closed after " + answer);
      }
      answer.append(new String(buffer, 0, read, US_ASCII));
    }
  }

  /** What a connection goes through. */
  private static final class Pipeline extends ChannelInitializer<Channel> {
    private final SslContext ssl;

    Pipeline(SslContext ssl) {
      this.ssl = ssl;
    }

    @Override
    protected void initChannel(Channel channel) {
      channel
          .pipeline()
          .addLast(
              ssl.newHandler(channel.alloc()),
              new HttpServerCodec(),
              new HttpObjectAggregator(1 << 16),
              new Service());
    }
  }

  /** Answers and refuses. */
  private static final class Service extends SimpleChannelInboundHandler<FullHttpRequest> {
    Service() {
      super(false);
    }

    @Override
    protected void channelRead0(ChannelHandlerContext ctx, FullHttpRequest request) {
      if (request.uri().equals("/refused")) {
        refuse(ctx, request);
      } else {
        answer(ctx, request.content());
      }
    }

    private static void refuse(ChannelHandlerContext ctx, FullHttpRequest request) {
      // The leak: the request is not released.
      LEAKED.add(request.content());
      respond(ctx, HttpResponseStatus.FORBIDDEN, Unpooled.EMPTY_BUFFER);
      request.headers().clear();
    }

    private static void answer(ChannelHandlerContext ctx, ByteBuf content) {
      respond(ctx, HttpResponseStatus.OK, content);
    }

    private static void respond(
        ChannelHandlerContext ctx, HttpResponseStatus status, ByteBuf content) {
      DefaultFullHttpResponse response =
          new DefaultFullHttpResponse(HttpVersion.HTTP_1_1, status, content);
      response.headers().set("content-length", content.readableBytes());
      ctx.writeAndFlush(response);
    }
  }
}
