package org.buftrail.benchmarks.convert;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import jdk.jfr.consumer.RecordingFile;
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
 * Whole conversions of synthetic recordings, from the file to OTLP bytes. Set-up fails unless every
 * converter finds all samples.
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MILLISECONDS)
public class ConverterPeersBenchmark {
  /** Samples in the recording. */
  @Param({"50", "500", "5000"})
  public int events;

  /** Frames of each. */
  @Param({"10", "50", "100"})
  public int depth;

  /** Threads that they are spread over. */
  @Param({"100", "1000"})
  public int contexts;

  /** Percent of the samples whose stack has occurred before. */
  @Param({"0", "70", "90"})
  public int duplication;

  private final Converters.Own own = new Converters.Own();
  private Path recording = Path.of("");

  /** Makes the recording and lets all converters count it. */
  @Setup
  public void prepare() throws IOException {
    recording = Files.createTempFile("buftrail-bench", ".jfr");
    Files.write(recording, SyntheticRecording.of(events, depth, contexts, duplication));
    long read = RecordingFile.readAllEvents(recording).size();
    long found = own.total(recording);
    long foundByPeer = Converters.peerTotal(recording);
    if (found != events || foundByPeer != events || read != events) {
      throw new IllegalStateException(
          events + " samples; found " + found + ", peer " + foundByPeer + ", JDK " + read);
    }
  }

  /** Removes the recording. */
  @TearDown
  public void cleanUp() throws IOException {
    Files.deleteIfExists(recording);
  }

  /** Buftrail, with a converter that is used again. */
  @Benchmark
  public long buftrail() throws IOException {
    return own.size(recording);
  }

  /** Buftrail, with a new converter each time. */
  @Benchmark
  public long buftrailAnew() throws IOException {
    return new Converters.Own().size(recording);
  }

  /** The converter of async-profiler. */
  @Benchmark
  public long jfrConverter() throws IOException {
    return Converters.peerSize(recording);
  }

  /** The JDK's reader: all events with all frames, and nothing written. */
  @Benchmark
  public long jdkReader() throws IOException {
    return Converters.jdk(recording);
  }
}
