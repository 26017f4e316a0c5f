package org.buftrail.benchmarks.flow;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.PooledByteBufAllocator;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.embedded.EmbeddedChannel;
import java.util.concurrent.TimeUnit;
import org.buftrail.benchmarks.Expected;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;

/** A pipeline whose handlers take {@code Object} messages, as most hops of an application do. */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
public class PipelineBenchmark {
  private static final int SIZE = 256;

  private final EmbeddedChannel channel =
      new EmbeddedChannel(new PassOn(), new PassOn(), new PassOn(), new PassOn(), new Release());

  @Benchmark
  @Expected(direct = 1, hops = 3, detector = true)
  public void pipelineRead() {
    ByteBuf buffer = PooledByteBufAllocator.DEFAULT.directBuffer(SIZE);
    channel.pipeline().fireChannelRead(buffer);
  }

  @TearDown
  public void close() {
    channel.finishAndReleaseAll();
  }

  private static final class PassOn extends ChannelInboundHandlerAdapter {
    @Override
    public void channelRead(ChannelHandlerContext ctx, Object message) {
      ctx.fireChannelRead(message);
    }
  }

  private static final class Release extends ChannelInboundHandlerAdapter {
    @Override
    public void channelRead(ChannelHandlerContext ctx, Object message) {
      ((ByteBuf) message).release();
    }
  }
}
