package org.buftrail.it.programs;

import io.netty.buffer.ByteBufAllocator;
import io.netty.handler.codec.dns.DefaultDnsQuery;
import io.netty.handler.codec.dns.DnsMessage;
import io.netty.handler.codec.dns.DnsQuery;
import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslContextBuilder;
import io.netty.handler.ssl.SslProvider;
import io.netty.util.HashedWheelTimer;
import io.netty.util.ReferenceCountUtil;
import io.netty.util.Timer;
import javax.net.ssl.SSLEngine;

/**
 * Loses what Netty's detector follows beside buffers: timers, DNS messages, and, as the argument
 * {@code ssl} asks, OpenSSL engines and a context. Closes as many others.
 */
public final class NettyThings {
  private static final int LOST = 5;

  private NettyThings() {}

  /** Runs the program. */
  public static void main(String[] args) throws Exception {
    if (args.length > 0) {
      engines(context());
      finalized();
    }
    for (int i = 0; i < LOST; i++) {
      Timer lost = timer();
      Timer stopped = timer();
      if (lost != stopped) {
        stopped.stop();
      }
      lose(query());
      query().release();
    }
  }

  private static Timer timer() {
    return new HashedWheelTimer();
  }

  private static DnsQuery query() {
    return new DefaultDnsQuery(1);
  }

  private static void lose(DnsMessage message) {
    message.setRecursionDesired(true);
  }

  private static SslContext context() throws Exception {
    return SslContextBuilder.forClient().sslProvider(SslProvider.OPENSSL_REFCNT).build();
  }

  private static SSLEngine engine(SslContext context) {
    return context.newEngine(ByteBufAllocator.DEFAULT);
  }

  private static void engines(SslContext context) throws Exception {
    for (int i = 0; i < LOST; i++) {
      lose(engine(context));
      ReferenceCountUtil.release(engine(context));
    }
    ReferenceCountUtil.release(context());
  }

  private static void lose(SSLEngine engine) {
    engine.getSession();
  }

  /** A finalizer releases these, so they are no leaks. */
  private static void finalized() throws Exception {
    SslContext own = SslContextBuilder.forClient().sslProvider(SslProvider.OPENSSL).build();
    for (int i = 0; i < LOST; i++) {
      own.newEngine(ByteBufAllocator.DEFAULT);
    }
  }
}
