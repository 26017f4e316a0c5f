package org.buftrail.benchmarks.flow;

import io.netty.bootstrap.ServerBootstrap;
import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.SimpleChannelInboundHandler;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.SocketChannel;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import io.netty.handler.codec.http.DefaultFullHttpResponse;
import io.netty.handler.codec.http.FullHttpRequest;
import io.netty.handler.codec.http.FullHttpResponse;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpObjectAggregator;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.HttpServerCodec;
import io.netty.handler.codec.http.HttpVersion;
import java.io.DataInputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.TimeUnit;
import org.buftrail.benchmarks.Expected;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;

/** A real request over loopback: a Netty server with codec and aggregator, a plain socket. */
@State(Scope.Thread)
@BenchmarkMode(Mode.SampleTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
public class HttpBenchmark {
  private static final byte[] BODY = new byte[512];
  private static final byte[] REQUEST =
      ("POST /echo HTTP/1.1\r\nHost: localhost\r\nContent-Length: " + BODY.length + "\r\n\r\n")
          .getBytes(StandardCharsets.US_ASCII);

  private final EventLoopGroup group =
      new MultiThreadIoEventLoopGroup(1, NioIoHandler.newFactory());
  private final Socket socket = new Socket();
  private byte[] request = new byte[0];
  private byte[] response = new byte[0];

  @Setup
  public void connect() throws IOException {
    Channel server =
        new ServerBootstrap()
            .group(group)
            .channel(NioServerSocketChannel.class)
            .childHandler(new Pipeline())
            .bind(InetAddress.getLoopbackAddress(), 0)
            .syncUninterruptibly()
            .channel();
    socket.setTcpNoDelay(true);
    socket.connect((InetSocketAddress) server.localAddress());
    request = new byte[REQUEST.length + BODY.length];
    System.arraycopy(REQUEST, 0, request, 0, REQUEST.length);
    String head = "HTTP/1.1 200 OK\r\ncontent-length: " + BODY.length + "\r\n\r\n";
    response = new byte[head.length() + BODY.length];
  }

  @TearDown
  public void close() throws IOException {
    socket.close();
    group.shutdownGracefully(0, 1, TimeUnit.SECONDS).syncUninterruptibly();
  }

  /**
   * One request and its answer: the buffer read, the aggregator's composite, the echoed body, the
   * head of the response. One or two more are for the ends of the connection.
   */
  @Benchmark
  @Expected(direct = 4, hops = 6, aside = 2, detector = true)
  public byte[] httpRoundTrip() throws IOException {
    OutputStream out = socket.getOutputStream();
    out.write(request);
    new DataInputStream(socket.getInputStream()).readFully(response);
    return response;
  }

  private static final class Pipeline extends ChannelInitializer<SocketChannel> {
    @Override
    protected void initChannel(SocketChannel channel) {
      channel
          .pipeline()
          .addLast(new HttpServerCodec(), new HttpObjectAggregator(1 << 16), new Echo());
    }
  }

  @SuppressWarnings("FutureReturnValueIgnored") // a channel that fails closes, and is done with
  private static final class Echo extends SimpleChannelInboundHandler<FullHttpRequest> {
    @Override
    protected void channelRead0(ChannelHandlerContext ctx, FullHttpRequest request) {
      ByteBuf body = copy(ctx, request.content());
      FullHttpResponse response =
          new DefaultFullHttpResponse(HttpVersion.HTTP_1_1, HttpResponseStatus.OK, body);
      response.headers().setInt(HttpHeaderNames.CONTENT_LENGTH, body.readableBytes());
      ctx.writeAndFlush(response);
    }

    private static ByteBuf copy(ChannelHandlerContext ctx, ByteBuf content) {
      return ctx.alloc().directBuffer(content.readableBytes()).writeBytes(content);
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
      ctx.close();
    }
  }
}
