package org.buftrail.benchmarks.service;

import io.netty.bootstrap.ServerBootstrap;
import io.netty.channel.Channel;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.buftrail.benchmarks.Expected;
import org.jspecify.annotations.Nullable;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Threads;

/**
 * A server over loopback that always has requests to answer. The clients are a process of their
 * own, so that the processor time of this one is the server's.
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Threads(1)
public class SaturatedHttpBenchmark {
  private static final int REQUESTS = 2_000;

  private final EventLoopGroup group =
      new MultiThreadIoEventLoopGroup(1, NioIoHandler.newFactory());
  private @Nullable Process clients;

  @Setup
  public void start() throws IOException {
    Channel server =
        new ServerBootstrap()
            .group(group)
            .channel(NioServerSocketChannel.class)
            .childHandler(new HttpHandlers())
            .bind(InetAddress.getLoopbackAddress(), 0)
            .syncUninterruptibly()
            .channel();
    int port = ((InetSocketAddress) server.localAddress()).getPort();
    clients =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx64m",
                "-XX:+UseSerialGC",
                "-cp",
                System.getProperty("java.class.path"),
                HttpClients.class.getName(),
                Integer.toString(port),
                Integer.toString(REQUESTS))
            .redirectError(ProcessBuilder.Redirect.INHERIT)
            .start();
  }

  @TearDown
  public void close() throws IOException, InterruptedException {
    if (clients != null) {
      clients.getOutputStream().close();
      clients.waitFor();
    }
    // With no quiet period the loop may end before the connections' handlers have let go of
    // buffers.
    group.shutdownGracefully(100, 2_000, TimeUnit.MILLISECONDS).syncUninterruptibly();
  }

  /** Has the clients send so many, and waits for the last answer. */
  @Benchmark
  @OperationsPerInvocation(REQUESTS)
  @Expected(heap = Expected.ANY, detector = true, handlers = true)
  public void saturatedHttp() throws IOException {
    if (clients == null) {
      throw new IllegalStateException("no clients");
    }
    clients.getOutputStream().write(HttpClients.GO);
    clients.getOutputStream().flush();
    if (clients.getInputStream().read() != HttpClients.DONE) {
      throw new IllegalStateException("the clients have failed");
    }
  }
}
