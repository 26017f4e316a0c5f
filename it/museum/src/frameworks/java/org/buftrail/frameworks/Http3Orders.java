// DEPS io.netty:netty-codec-http3:4.2.18.Final
// DEPS io.netty:netty-codec-native-quic:4.2.18.Final:native
// DEPS io.netty:netty-pkitesting:4.2.18.Final
// CULPRIT org.buftrail.frameworks.Http3Orders$Orders.refuse

package org.buftrail.frameworks;

import io.netty.bootstrap.Bootstrap;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandler;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.nio.NioDatagramChannel;
import io.netty.handler.codec.http3.DefaultHttp3DataFrame;
import io.netty.handler.codec.http3.DefaultHttp3HeadersFrame;
import io.netty.handler.codec.http3.Http3;
import io.netty.handler.codec.http3.Http3ClientConnectionHandler;
import io.netty.handler.codec.http3.Http3DataFrame;
import io.netty.handler.codec.http3.Http3HeadersFrame;
import io.netty.handler.codec.http3.Http3RequestStreamInboundHandler;
import io.netty.handler.codec.http3.Http3ServerConnectionHandler;
import io.netty.handler.codec.quic.InsecureQuicTokenHandler;
import io.netty.handler.codec.quic.QuicChannel;
import io.netty.handler.codec.quic.QuicSslContext;
import io.netty.handler.codec.quic.QuicSslContextBuilder;
import io.netty.handler.codec.quic.QuicStreamChannel;
import io.netty.handler.ssl.util.InsecureTrustManagerFactory;
import io.netty.pkitesting.CertificateBuilder;
import io.netty.pkitesting.X509Bundle;
import io.netty.util.NetUtil;
import io.netty.util.ReferenceCountUtil;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;

/** Takes frames of HTTP/3, and keeps those that it refuses. */
final class Http3Orders {
  private static final long LIMIT = 1_000_000;

  private static final EventLoopGroup GROUP =
      new MultiThreadIoEventLoopGroup(1, NioIoHandler.newFactory());

  public static void main(String[] args) throws Exception {
    InetSocketAddress server = (InetSocketAddress) serve().localAddress();
    Channel datagrams = bind(clientCodec());
    QuicChannel connection =
        QuicChannel.newBootstrap(datagrams)
            .handler(new Http3ClientConnectionHandler())
            .remoteAddress(server)
            .connect()
            .get();
    Traffic.run(text -> post(connection, text));
  }

  private static Channel bind(ChannelHandler codec) throws InterruptedException {
    return new Bootstrap()
        .group(GROUP)
        .channel(NioDatagramChannel.class)
        .handler(codec)
        .bind(new InetSocketAddress(NetUtil.LOCALHOST4, 0))
        .sync()
        .channel();
  }

  private static Channel serve() throws Exception {
    X509Bundle certificate =
        new CertificateBuilder()
            .subject("CN=localhost")
            .setIsCertificateAuthority(true)
            .buildSelfSigned();
    QuicSslContext ssl =
        QuicSslContextBuilder.forServer(
                certificate.getKeyPair().getPrivate(), null, certificate.getCertificate())
            .applicationProtocols(Http3.supportedApplicationProtocols())
            .build();
    return bind(
        Http3.newQuicServerCodecBuilder()
            .sslContext(ssl)
            .initialMaxData(LIMIT)
            .initialMaxStreamDataBidirectionalLocal(LIMIT)
            .initialMaxStreamDataBidirectionalRemote(LIMIT)
            .initialMaxStreamsBidirectional(LIMIT)
            .tokenHandler(InsecureQuicTokenHandler.INSTANCE)
            .handler(
                new ChannelInitializer<QuicChannel>() {
                  @Override
                  protected void initChannel(QuicChannel channel) {
                    channel.pipeline().addLast(new Http3ServerConnectionHandler(new Streams()));
                  }
                })
            .build());
  }

  private static ChannelHandler clientCodec() {
    QuicSslContext ssl =
        QuicSslContextBuilder.forClient()
            .trustManager(InsecureTrustManagerFactory.INSTANCE)
            .applicationProtocols(Http3.supportedApplicationProtocols())
            .build();
    return Http3.newQuicClientCodecBuilder()
        .sslContext(ssl)
        .initialMaxData(LIMIT)
        .initialMaxStreamDataBidirectionalLocal(LIMIT)
        .build();
  }

  private static void post(QuicChannel connection, String text) throws Exception {
    QuicStreamChannel stream = Http3.newRequestStream(connection, new Answer()).sync().getNow();
    Http3HeadersFrame head = new DefaultHttp3HeadersFrame();
    head.headers().method("POST").path("/orders").scheme("https").authority("localhost");
    stream.write(head);
    ByteBuf body = Unpooled.copiedBuffer(text, StandardCharsets.UTF_8);
    stream
        .writeAndFlush(new DefaultHttp3DataFrame(body))
        .addListener(QuicStreamChannel.SHUTDOWN_OUTPUT)
        .sync();
    stream.closeFuture().sync();
  }

  private static final class Streams extends ChannelInitializer<QuicStreamChannel> {
    @Override
    protected void initChannel(QuicStreamChannel channel) {
      channel.pipeline().addLast(new Orders());
    }
  }

  private static final class Orders extends Http3RequestStreamInboundHandler {
    @Override
    protected void channelRead(ChannelHandlerContext context, Http3HeadersFrame frame) {
      ReferenceCountUtil.release(frame);
    }

    @Override
    protected void channelRead(ChannelHandlerContext context, Http3DataFrame frame) {
      if (Traffic.isRefused(frame.content().getByte(frame.content().readerIndex()))) {
        refuse(frame);
      } else {
        frame.release();
      }
    }

    private static int refuse(Http3DataFrame frame) {
      return frame.content().readableBytes();
    }

    @Override
    protected void channelInputClosed(ChannelHandlerContext context) {
      Http3HeadersFrame head = new DefaultHttp3HeadersFrame();
      head.headers().status("200");
      context.writeAndFlush(head).addListener(QuicStreamChannel.SHUTDOWN_OUTPUT);
    }
  }

  private static final class Answer extends Http3RequestStreamInboundHandler {
    @Override
    protected void channelRead(ChannelHandlerContext context, Http3HeadersFrame frame) {
      ReferenceCountUtil.release(frame);
    }

    @Override
    protected void channelRead(ChannelHandlerContext context, Http3DataFrame frame) {
      frame.release();
    }

    @Override
    protected void channelInputClosed(ChannelHandlerContext context) {
      context.close();
    }
  }
}
