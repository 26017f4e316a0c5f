package org.buftrail.benchmarks.service;

import io.netty.buffer.ByteBuf;
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

/** A request through codec, aggregator and two handlers, and its answer back, without a socket. */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
public class CodecBenchmark {
  private final byte[] request = HttpHandlers.request();
  private final EmbeddedChannel channel = new EmbeddedChannel(new HttpHandlers());

  @Benchmark
  @Expected(heap = Expected.ANY, detector = true, handlers = true)
  public int codecAndAggregator() {
    channel.writeInbound(channel.alloc().directBuffer(request.length).writeBytes(request));
    int bytes = 0;
    for (Object out = channel.readOutbound(); out != null; out = channel.readOutbound()) {
      bytes += ((ByteBuf) out).readableBytes();
      ((ByteBuf) out).release();
    }
    if (bytes == 0) {
      throw new IllegalStateException("no answer");
    }
    return bytes;
  }

  @TearDown
  public void close() {
    channel.finishAndReleaseAll();
  }
}
