package org.buftrail.benchmarks.gate;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.openjdk.jol.datamodel.Model64;
import org.openjdk.jol.info.ClassLayout;
import org.openjdk.jol.layouters.HotSpotLayouter;
import org.openjdk.jol.layouters.Layouter;

/** Bytes of the runtime's objects as HotSpot lays them out with compressed references. */
final class FootprintTest {
  /** The least that a node or a tenured flow costs beside itself: its place in a table. */
  private static final int TABLE_SLOT = 4;

  @ParameterizedTest
  @CsvSource({"17", "25"})
  void aNodeIsAtMost64Bytes(int jdk) throws Exception {
    assertThat(size("Node", jdk)).isLessThanOrEqualTo(64);
  }

  @ParameterizedTest
  @CsvSource({"17", "25"})
  void aLiveBufferBeyondTheNurseryCostsAtMost96Bytes(int jdk) throws Exception {
    assertThat(size("TenuredFlow", jdk) + TABLE_SLOT).isLessThanOrEqualTo(96);
  }

  /** {@code TrackedBuffer} adds its two fields and nothing else to every buffer. */
  @ParameterizedTest
  @CsvSource({"17", "25"})
  void aBufferGrowsBy8Bytes(int jdk) throws Exception {
    long header = 12;
    assertThat(size("TrackedBuffer", jdk)).isLessThanOrEqualTo(header + 8 + 4);
    assertThat(layout("TrackedBuffer", jdk).fields())
        .as("one reference and one int")
        .extracting(f -> f.size())
        .containsExactlyInAnyOrder(4L, 4L);
  }

  private static long size(String name, int jdk) throws Exception {
    return layout(name, jdk).instanceSize();
  }

  private static ClassLayout layout(String name, int jdk) throws Exception {
    Layouter layouter = new HotSpotLayouter(new Model64(true, true), jdk);
    return ClassLayout.parseClass(Class.forName(RuntimeClasses.name(name)), layouter);
  }
}
