package org.buftrail.benchmarks.convert;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import jdk.jfr.consumer.RecordingFile;
import org.buftrail.jfr.Conversion;
import org.buftrail.jfr.Converter;
import org.buftrail.jfr.Options;
import org.buftrail.jfr.Stats;
import org.buftrail.profile.Kind;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;

/**
 * Whole conversions of recordings that the caller names with {@code -p recording=FILE,FILE}. Set-up
 * fails unless Buftrail finds as many events of each type as the JDK's reader, and, in the kinds
 * that the other converter puts together by default, as many samples as that.
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MILLISECONDS)
public class RealRecordingBenchmark {
  /** The recording to convert. */
  @Param("recording.jfr")
  public String recording = "";

  private final Converters.Own everything = new Converters.Own();
  private final Converters.Own samples = new Converters.Own(Kind.CPU, Kind.WALL);
  private Path file = Path.of("");

  /** Compares what is found. */
  @Setup
  public void prepare() throws IOException {
    file = Path.of(recording);
    Map<String, Long> read = new TreeMap<>();
    try (RecordingFile events = new RecordingFile(file)) {
      while (events.hasMoreEvents()) {
        read.merge(events.readEvent().getEventType().getName(), 1L, Long::sum);
      }
    }
    Conversion conversion = new Converter(Options.DEFAULT).convert(List.of(file));
    Map<String, Long> found = new TreeMap<>();
    for (Stats.Row row : conversion.stats().rows()) {
      found.put(row.event(), row.found());
    }
    if (!found.equals(read)) {
      throw new IllegalStateException("found " + found + ", the JDK " + read);
    }
    long ownTotal = samples.total(file);
    long peerTotal = Converters.peerTotal(file);
    if (ownTotal != peerTotal) {
      throw new IllegalStateException(ownTotal + " samples, jfr-converter " + peerTotal);
    }
  }

  /** Buftrail: all kinds in one pass. */
  @Benchmark
  public long buftrailAll() throws IOException {
    return everything.size(file);
  }

  /** Buftrail: all kinds, with a new converter each time. */
  @Benchmark
  public long buftrailAllAnew() throws IOException {
    return new Converters.Own().size(file);
  }

  /** Buftrail: the kinds that the other converter takes by default. */
  @Benchmark
  public long buftrailCpuAndWall() throws IOException {
    return samples.size(file);
  }

  /** The converter of async-profiler without options. */
  @Benchmark
  public long jfrConverterDefault() throws IOException {
    return Converters.peerSize(file);
  }

  /** The JDK's reader: all events with all frames, and nothing written. */
  @Benchmark
  public long jdkReader() throws IOException {
    return Converters.jdk(file);
  }
}
