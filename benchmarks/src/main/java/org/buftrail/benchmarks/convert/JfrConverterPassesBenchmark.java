package org.buftrail.benchmarks.convert;

import java.io.IOException;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;

/**
 * The four passes that async-profiler's converter takes over a recording of its own profiler for
 * what Buftrail does in one. It fails on recordings of the JDK, whose events may lack a stack.
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MILLISECONDS)
public class JfrConverterPassesBenchmark {
  /** The recording to convert. */
  @Param("recording.jfr")
  public String recording = "";

  /** CPU, wall, allocation, locks. */
  @Benchmark
  public long jfrConverterFourPasses() throws IOException {
    Converters.Sink sink = new Converters.Sink();
    Converters.peerPasses(Path.of(recording), sink);
    return sink.size();
  }
}
