package org.buftrail.benchmarks.convert;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;

/**
 * Whole conversions of recordings of Datadog's events, with a span each, that JDK Mission Control's
 * writer has written. Set-up fails unless all samples are found. {@link ConverterPeersBenchmark}
 * compares with others.
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.Throughput)
@OutputTimeUnit(TimeUnit.SECONDS)
public class JfrToOtlpConverterBenchmark {
  /** Samples in the recording. */
  @Param({"50", "500", "5000"})
  public int eventCount;

  /** Frames of each. */
  @Param({"10", "50", "100"})
  public int stackDepth;

  /** Spans that they are spread over. */
  @Param({"100", "1000"})
  public int uniqueContexts;

  /** Percent of the samples whose stack has occurred before. */
  @Param({"0", "70", "90"})
  public int stackDuplicationPercent;

  private final Converters.Own own = new Converters.Own();
  private Path recording = Path.of("");

  /** Makes the recording and counts its samples. */
  @Setup
  public void prepare() throws IOException {
    recording = Files.createTempFile("buftrail-bench", ".jfr");
    SpanRecording.write(recording, eventCount, stackDepth, uniqueContexts, stackDuplicationPercent);
    long found = own.total(recording);
    if (found != eventCount) {
      throw new IllegalStateException(eventCount + " samples; found " + found);
    }
  }

  /** Removes the recording. */
  @TearDown
  public void cleanUp() throws IOException {
    Files.deleteIfExists(recording);
  }

  /** From the file to OTLP bytes, with a converter that is used again. */
  @Benchmark
  public long convertJfrToOtlp() throws IOException {
    return own.size(recording);
  }
}
