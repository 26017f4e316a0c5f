package org.buftrail.cli.watch;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import org.buftrail.cli.Recordings;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class ReadinessTest {
  @TempDir private Path directory;

  private Readiness.State of(byte[] bytes) throws Exception {
    return Readiness.of(Files.write(directory.resolve("x.jfr"), bytes));
  }

  private static byte[] both(byte[] first, byte[] second) {
    byte[] both = Arrays.copyOf(first, first.length + second.length);
    System.arraycopy(second, 0, both, first.length, second.length);
    return both;
  }

  @Test
  void aChunkIsFinishedOnceItsHeaderSaysSo() throws Exception {
    byte[] whole = Files.readAllBytes(Recordings.make(directory));
    assertThat(of(whole)).isEqualTo(Readiness.State.FINISHED);
    assertThat(of(both(whole, whole))).isEqualTo(Readiness.State.FINISHED);
    // As a JVM has it: a length that grows, and the number of the flush.
    byte[] flushed = whole.clone();
    flushed[64] = 3;
    assertThat(of(flushed)).isEqualTo(Readiness.State.UNFINISHED);
    assertThat(of(both(whole, flushed))).isEqualTo(Readiness.State.UNFINISHED);
    // Before JDK 14 the length is 0 until the end; async-profiler writes a larger one.
    byte[] begun = whole.clone();
    ByteBuffer.wrap(begun).putLong(8, 0);
    assertThat(of(begun)).isEqualTo(Readiness.State.UNFINISHED);
    ByteBuffer.wrap(begun).putLong(8, 1 << 30);
    assertThat(of(begun)).isEqualTo(Readiness.State.UNFINISHED);
    for (int length : new int[] {4, 67, 68, whole.length - 1, whole.length + 30}) {
      assertThat(of(Arrays.copyOf(both(whole, whole), length)))
          .as(length + " bytes")
          .isEqualTo(Readiness.State.UNFINISHED);
    }
  }

  @Test
  void whatIsNoPlainRecordingCannotTell() throws Exception {
    assertThat(of(new byte[0])).isEqualTo(Readiness.State.RESERVED);
    assertThat(of(new byte[] {1})).isEqualTo(Readiness.State.FINISHED);
    assertThat(of(new byte[] {0x1f, (byte) 0x8b, 0, 0, 0})).isEqualTo(Readiness.State.FINISHED);
    assertThat(
            of(
                "text that is long enough for a header, which is 68 bytes; so this is longer"
                    .getBytes(StandardCharsets.US_ASCII)))
        .isEqualTo(Readiness.State.FINISHED);
    assertThat(Readiness.of(directory.resolve("none"))).isEqualTo(Readiness.State.FINISHED);
  }
}
