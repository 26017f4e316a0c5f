package org.buftrail.report;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.List;
import org.buftrail.model.Evidence;
import org.buftrail.model.Site;
import org.buftrail.model.Snapshot;
import org.buftrail.model.TrackerStatus;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

final class NoHopsTest {
  private static final String ROOT = "io.netty.buffer.PooledByteBufAllocator.directBuffer";
  private static final String RETAIN = "io.netty.buffer.ByteBuf.retain";
  private static final String ADVICE = "No path leads into the application";

  private static String all(Snapshot snapshot) throws IOException {
    StringBuilder text = new StringBuilder();
    TreeReport.write(snapshot, text);
    LlmReport.write(snapshot, text);
    FlowHtml.model(snapshot, text);
    return text.toString();
  }

  @Test
  void pathsOfTheLibraryAloneComeWithAdvice() throws IOException {
    SnapshotBuilder b = new SnapshotBuilder();
    b.direct(ROOT, RETAIN).leaked(3, 768).add();
    b.direct(ROOT, "io.netty.buffer.ByteBuf.release [0]").released(9, 90).add();
    assertThat(NoHops.advice(b.build())).startsWith(ADVICE);
    assertThat(all(b.build()).split(ADVICE, -1)).hasSize(4);
  }

  @Test
  void whereNothingLeakedOneHopOfTheApplicationIsEnough() throws IOException {
    SnapshotBuilder b = new SnapshotBuilder();
    b.direct(ROOT, RETAIN).live(3, 768).add();
    b.heap(ROOT, "com.example.Codec.decode:9").live(1, 8).add();
    assertThat(NoHops.advice(b.build())).isNull();
    assertThat(all(b.build())).doesNotContain(ADVICE);
  }

  /** That others were released where the application had them does not say who lost these. */
  @Test
  void aLeakNeedsAHopOfTheApplicationItself() {
    SnapshotBuilder b = new SnapshotBuilder();
    b.direct(ROOT, RETAIN).leaked(3, 768).add();
    b.direct(ROOT, "com.example.Codec.decode:9").released(9, 90).add();
    assertThat(NoHops.advice(b.build()))
        .startsWith("No path of a leak leads into the application: no class that the agent watches")
        .contains(" took what leaked. Name your packages");
    b.heap(ROOT, "com.example.Codec.lose:9").leaked(1, 8).add();
    assertThat(NoHops.advice(b.build())).isNull();
  }

  @Test
  void aLeakThatTheApplicationAskedForNeedsNoAdvice() {
    Site offer = new Site("io.netty.codec.Decoder", "offer", "", 335, "");
    Site form = new Site("shop.Form", "channelRead0", "", 9, "");
    assertThat(NoHops.advice(askedFor(null, offer))).startsWith(ADVICE);
    assertThat(NoHops.advice(askedFor(form, offer))).isNull();
  }

  private static Snapshot askedFor(@Nullable Site own, Site library) {
    SnapshotBuilder b = new SnapshotBuilder();
    Evidence.Place place = new Evidence.Place(own, List.of(library), List.of(), 3);
    Evidence.Builder evidence = new Evidence.Builder().looks(3).add(Evidence.Kind.ASKED_FOR, place);
    b.direct(ROOT, RETAIN).leaked(3, 768).evidence(evidence.build()).add();
    return b.build();
  }

  @Test
  void whereSomeLeaksHaveNoHopThePackagesFromElsewhereAreListed() {
    SnapshotBuilder b = new SnapshotBuilder();
    b.direct(ROOT, RETAIN).leaked(3, 768).add();
    b.heap(ROOT, "com.example.Codec.lose:9").leaked(1, 8).add();
    assertThat(NoHops.advice(b.build())).as("with nothing to name").isNull();
    b.status().add(new TrackerStatus.Unwatched("org.codec", "codec.jar", 2));
    assertThat(NoHops.advice(b.build()))
        .startsWith("1 of 2 paths of leaks does not lead into the application: no class that")
        .endsWith(
            "loaded from org.codec (codec.jar). Name those that are yours: include=org.codec");
  }

  @Test
  void whereNoBufferWasFollowedThereIsNothingToSay() {
    SnapshotBuilder b = new SnapshotBuilder();
    assertThat(NoHops.advice(b.build())).isNull();
    b.heap("java.sql.Connection.open", "java.sql.Connection.close [0]").released(1, 0).add();
    assertThat(NoHops.advice(b.build())).isNull();
  }
}
