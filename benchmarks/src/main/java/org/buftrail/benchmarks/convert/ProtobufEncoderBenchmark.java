package org.buftrail.benchmarks.convert;

import java.io.IOException;
import java.util.concurrent.TimeUnit;
import org.buftrail.profile.protobuf.ProtobufEncoder;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;

/** One field of each kind, and messages made of them; a thousand to a message, then emptied. */
@State(Scope.Thread)
@BenchmarkMode(Mode.Throughput)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
@OperationsPerInvocation(ProtobufEncoderBenchmark.TIMES)
public class ProtobufEncoderBenchmark {
  static final int TIMES = 1000;

  private final ProtobufEncoder encoder = new ProtobufEncoder();
  private final String shortText = "main";
  private final String mediumText = "com.example.service.OrderService.handleRequest";
  private final String longText = "x".repeat(1000);
  private final byte[] shortBytes = new byte[8];
  private final byte[] mediumBytes = new byte[64];
  private final byte[] longBytes = new byte[1000];
  private final int[] indices = {3, 17, 200, 4_000, 70_000};

  /** The message that is written a thousand times. */
  private interface Step {
    void write(int i);
  }

  private long repeat(Step step) {
    encoder.clear();
    for (int i = 0; i < TIMES; i++) {
      step.write(i);
    }
    return encoder.size();
  }

  /** One byte. */
  @Benchmark
  public long writeVarintSmall() {
    return repeat(i -> encoder.writeVarint(1, i & 0x3f));
  }

  /** Two bytes. */
  @Benchmark
  public long writeVarintMedium() {
    return repeat(i -> encoder.writeVarint(1, 128 + i));
  }

  /** Five bytes. */
  @Benchmark
  public long writeVarintLarge() {
    return repeat(i -> encoder.writeVarint(1, (1L << 32) | i));
  }

  /** Ten bytes. */
  @Benchmark
  public long writeVarintVeryLarge() {
    return repeat(i -> encoder.writeVarint(1, -1L - i));
  }

  /** Eight bytes. */
  @Benchmark
  public long writeFixed64() {
    return repeat(i -> encoder.writeFixed64(1, i));
  }

  /** 4 characters. */
  @Benchmark
  public long writeStringShort() {
    return repeat(i -> encoder.writeString(1, shortText));
  }

  /** 46 characters. */
  @Benchmark
  public long writeStringMedium() {
    return repeat(i -> encoder.writeString(1, mediumText));
  }

  /** 1,000 characters. */
  @Benchmark
  public long writeStringLong() {
    return repeat(i -> encoder.writeString(1, longText));
  }

  /** 8 bytes. */
  @Benchmark
  public long writeBytesShort() {
    return repeat(i -> encoder.writeBytes(1, shortBytes, 0, shortBytes.length));
  }

  /** 64 bytes. */
  @Benchmark
  public long writeBytesMedium() {
    return repeat(i -> encoder.writeBytes(1, mediumBytes, 0, mediumBytes.length));
  }

  /** 1,000 bytes. */
  @Benchmark
  public long writeBytesLong() {
    return repeat(i -> encoder.writeBytes(1, longBytes, 0, longBytes.length));
  }

  /** Five numbers without tags. */
  @Benchmark
  public long writePacked() {
    return repeat(i -> encoder.writePacked(1, indices, 0, indices.length));
  }

  /** A message of one field. */
  @Benchmark
  public long writeNestedMessageSimple() {
    return repeat(
        i -> {
          int mark = encoder.open(1, 20);
          encoder.writeVarint(1, i);
          encoder.close(mark);
        });
  }

  /** Three messages in one another, with a text and numbers. */
  @Benchmark
  public long writeNestedMessageComplex() {
    return repeat(
        i -> {
          int outer = encoder.open(1, 200);
          encoder.writeVarint(1, i);
          int middle = encoder.open(2, 150);
          encoder.writeString(1, mediumText);
          int inner = encoder.open(2, 40);
          encoder.writeVarint(1, i);
          encoder.writeFixed64(2, i);
          encoder.close(inner);
          encoder.close(middle);
          encoder.close(outer);
        });
  }

  /** {@code Sample}. */
  @Benchmark
  public long writeTypicalSample() {
    return repeat(
        i -> {
          int mark = encoder.open(2, 120);
          encoder.writeVarint(1, i);
          encoder.writePacked(2, indices, 0, 3);
          int values = encoder.open(4, 10);
          encoder.varint(i);
          encoder.close(values);
          encoder.close(mark);
        });
  }

  /** {@code Location}. */
  @Benchmark
  public long writeTypicalLocation() {
    return repeat(
        i -> {
          int mark = encoder.open(2, 120);
          int line = encoder.open(3, 40);
          encoder.writeVarint(1, i);
          encoder.writeVarint(2, 100 + i);
          encoder.close(line);
          encoder.writePacked(4, indices, 0, 1);
          encoder.close(mark);
        });
  }

  /** {@code Function}. */
  @Benchmark
  public long writeTypicalFunction() {
    return repeat(
        i -> {
          int mark = encoder.open(3, 80);
          encoder.writeVarint(1, i);
          encoder.writeVarint(2, i + 1);
          encoder.writeVarint(3, i + 2);
          encoder.close(mark);
        });
  }

  /** A thousand locations as one array; the time is that of one. */
  @Benchmark
  public int toByteArray() throws IOException {
    writeTypicalLocation();
    return encoder.toByteArray().length;
  }
}
