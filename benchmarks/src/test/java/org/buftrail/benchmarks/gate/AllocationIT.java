package org.buftrail.benchmarks.gate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Bytes that following a buffer takes, by the JVM's own count. */
final class AllocationIT {
  /** A page made now and then, divided by ten thousand operations. */
  private static final double STRAY = 0.5;

  /** Operations after which all is compiled. */
  private static final int COMPILED = 300_000;

  private static final double MOST_MORE = 64;

  @TempDir private Path directory;

  @Test
  void followingABufferTakes8BytesInterpreted() throws IOException, InterruptedException {
    assertEightBytesMore(2_000, "-Xint");
  }

  /** Wide: an object may escape with the agent that does not without it, or the other way. */
  @Test
  void noFurtherObjectEscapesWhereTheCompilerLooks() throws IOException, InterruptedException {
    ForkedWorkload without = ForkedWorkload.run(directory, false, COMPILED, "-Xmx256m");
    ForkedWorkload with = ForkedWorkload.run(directory, true, COMPILED, "-Xmx256m");
    for (String kind : new String[] {"unpooled", "pooled", "adaptive"}) {
      assertThat(with.bytes(kind) - without.bytes(kind)).as(kind).isLessThanOrEqualTo(MOST_MORE);
    }
  }

  @Test
  void followingABufferTakes8BytesCompiled() throws IOException, InterruptedException {
    assertEightBytesMore(COMPILED, "-Xmx256m");
  }

  private void assertEightBytesMore(int warmUp, String jvmArg)
      throws IOException, InterruptedException {
    // An object that the compiler does away with in one JVM and not in the other is no cost of
    // ours.
    String[] jvmArgs = {jvmArg, "-XX:-DoEscapeAnalysis"};
    ForkedWorkload without = ForkedWorkload.run(directory, false, warmUp, jvmArgs);
    ForkedWorkload with = ForkedWorkload.run(directory, true, warmUp, jvmArgs);
    assertThat(with.bytes("unpooled") - without.bytes("unpooled"))
        .as("two fields in a buffer that is new each time")
        .isCloseTo(8, within(STRAY));
    for (String recycled : new String[] {"pooled", "adaptive"}) {
      assertThat(with.bytes(recycled) - without.bytes(recycled))
          .as("%s: at most two fields, and nothing for an object that is used again", recycled)
          .isLessThan(8 + STRAY);
    }
  }
}
