package org.buftrail.report;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.buftrail.model.Path;
import org.buftrail.model.ReleaseSamples;
import org.buftrail.model.Snapshot;
import org.buftrail.model.TrackerStatus;
import org.junit.jupiter.api.Test;

/** Sizes and lifetimes of released buffers by path, in each form. */
class HistogramTextTest {
  private static Path path(String last, int... sizesAndMicros) {
    long[] lifetimes = new long[ReleaseSamples.LIFETIMES];
    long[] sizes = new long[ReleaseSamples.SIZES];
    for (int i = 0; i < sizesAndMicros.length; i += 2) {
      sizes[sizesAndMicros[i]]++;
      lifetimes[sizesAndMicros[i + 1]]++;
    }
    List<Path.Hop> hops =
        List.of(
            SnapshotBuilder.hop("io.netty.buffer.PooledByteBufAllocator.directBuffer"),
            SnapshotBuilder.hop(last));
    int samples = sizesAndMicros.length / 2;
    Path.Flows released = new Path.Flows(64L * samples, 64);
    return new Path(hops, true, released, Path.Flows.NONE, Path.Flows.NONE, -1, -1)
        .with(samples == 0 ? null : new ReleaseSamples(lifetimes, sizes, 1_400, 5));
  }

  private static Snapshot snapshot(Path... paths) {
    return new Snapshot(1_000, 1, 256, 0, TrackerStatus.FINE, List.of(paths), List.of());
  }

  @Test
  void eachClassWithSamplesHasItsShare() throws IOException {
    StringBuilder text = new StringBuilder();
    HistogramText.write(
        snapshot(path("a.A.few:1", 27, 31), path("a.A.many:2", 9, 6, 9, 6, 14, 21, 9, 11)), text);
    assertThat(text.toString())
        .isEqualTo(
            """

            SIZES AND LIFETIMES of released buffers, in powers of two, most samples first
              A.many:2, 4 samples
                sizes     below 512 B 75.0 %, below 16.0 KiB 25.0 %
                lifetimes below 64 us 50.0 %, below 2 ms 25.0 %, below 2.0 s 25.0 %; longest 1.4 s
                PooledByteBufAllocator.directBuffer > A.many:2
              A.few:1, 1 sample
                sizes     from 64.0 MiB 100.0 %
                lifetimes from 17 min 53 s 100.0 %; longest 1.4 s
                PooledByteBufAllocator.directBuffer > A.few:1
            """);
  }

  @Test
  void modelsGetTheNumbers() throws IOException {
    StringBuilder text = new StringBuilder();
    LlmReport.write(snapshot(path("a.A.many:2", 9, 6, 9, 6, 14, 21)), text);
    assertThat(text.toString())
        .contains(
            "histogram memory=direct samples=3 longest_ms=1400 sizes=512:2,16384:1"
                + " lifetimes_us=64:2,2097152:1 path=");
  }

  @Test
  void thePageHasARowForEachClass() throws IOException {
    StringBuilder json = new StringBuilder();
    FlowHtml.model(snapshot(path("a.A.many:2", 9, 6, 9, 6, 14, 21)), json);
    assertThat(json.toString())
        .contains("\"histograms\":{\"path\":[0,0,0,0],\"at\":[6,21,41,46],\"count\":[2,1,2,1]}");
  }

  @Test
  void nothingIsSaidWithoutSamples() throws IOException {
    StringBuilder all = new StringBuilder();
    Snapshot none = snapshot(path("a.A.none:1"));
    HistogramText.write(none, all);
    LlmReport.write(none, all);
    FlowHtml.model(none, all);
    assertThat(all.toString()).doesNotContainIgnoringCase("histogram").doesNotContain("SIZES");
  }

  @Test
  void onlyTheFirstPathsAreShown() throws IOException {
    List<Path> paths = new ArrayList<>();
    for (int i = 0; i < 7; i++) {
      paths.add(path("a.A.some:" + (i + 1), 9, 6));
    }
    StringBuilder text = new StringBuilder();
    HistogramText.write(snapshot(paths.toArray(new Path[0])), text);
    assertThat(text.toString()).contains("  ... 2 paths not shown\n");
  }
}
