package org.buftrail.report;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.StreamSupport;
import org.buftrail.model.Misuse;
import org.buftrail.model.Snapshot;
import org.buftrail.model.TrackerStatus;
import org.junit.jupiter.api.Test;

class FlowHtmlTest {
  @Test
  void thePageHoldsEveryPathWithItsFigures() throws IOException {
    JsonNode model = model(SnapshotBuilder.service());

    assertThat(model.get("kind").asText()).isEqualTo("flows");
    assertThat(model.get("takenAt").asText()).isEqualTo("2026-01-31T12:00:00.250Z");
    assertThat(model.get("totals").get("allocated").asLong()).isEqualTo(10_102);
    assertThat(model.get("nodes").get("up")).as("paths share their prefixes").hasSize(9);
    assertThat(path(model, 0))
        .containsExactly(
            "io.netty.buffer.PooledByteBufAllocator.directBuffer:0 [1-2]",
            "com.example.app.Server.channelRead:31 [1-2]",
            "com.example.app.Server.dispatch:44 [1-2]",
            "com.example.app.Errors.reject:88 [1-2]");
    assertThat(path(model, 3)).endsWith("io.netty.buffer.ByteBuf.release:0 [0]");
    assertThat(column(model, "direct")).containsExactly(1L, 0L, 1L, 1L);
    assertThat(column(model, "leaked")).containsExactly(7L, 2L, 0L, 0L);
    assertThat(column(model, "leakedBytes")).containsExactly(1_792L, 64L, 0L, 0L);
    assertThat(column(model, "live")).containsExactly(3L, 0L, 100L, 0L);
    assertThat(column(model, "liveBytes")).containsExactly(768L, 0L, 104_857_600L, 0L);
    assertThat(column(model, "released")).containsExactly(0L, 0L, 0L, 9_990L);
    assertThat(column(model, "releasedBytes")).containsExactly(0L, 0L, 0L, 2_557_440L);
    assertThat(column(model, "oldest")).containsExactly(61_000L, -1L, 3_600_000L, -1L);
    assertThat(column(model, "median")).containsExactly(4_000L, -1L, 1_800_000L, -1L);
    JsonNode seen = model.get("seen");
    assertThat(seen.get("path").toString()).isEqualTo("[0]");
    assertThat(seen.get("last").get(0).asLong() - seen.get("first").get(0).asLong())
        .isEqualTo(90_000L);
  }

  @Test
  void thePageGetsWhatTheTrackerSaysOfItself() throws IOException {
    SnapshotBuilder b = new SnapshotBuilder();
    b.status().stop(new TrackerStatus.Stop(SnapshotBuilder.TAKEN_AT, "too many errors"));
    JsonNode tracker = model(b.build()).get("tracker");

    assertThat(tracker.get("stoppedAt").asText()).isEqualTo("2026-01-31T12:00:00.250Z");
    assertThat(tracker.get("stopReason").asText()).isEqualTo("too many errors");
    assertThat(model(new SnapshotBuilder().build()).has("tracker")).isFalse();
  }

  @Test
  void aSuspectIsFoundByItsPlaceInTheList() throws IOException {
    SnapshotBuilder b = new SnapshotBuilder();
    b.direct("p.A.directBuffer", "p.Shop.receipt:53").released(499, 8_999).add();
    b.direct("p.A.directBuffer", "p.Shop.refuse:48").live(31, 7_681).ages(60_000, 30_000).add();
    b.heap("p.A.heapBuffer", "p.Cache.put:7").live(3, 10_007).ages(60_000, 59_000).add();
    JsonNode model = model(b.build());

    assertThat(path(model, 1)).endsWith("p.Shop.refuse:48 [1-2]");
    assertThat(model.get("suspects").get("path").toString()).isEqualTo("[1]");
    assertThat(model.get("suspects").get("arrived").toString()).isEqualTo("[31]");
  }

  @Test
  void resourcesHaveTheirType() throws IOException {
    SnapshotBuilder b = new SnapshotBuilder();
    b.heap("java.sql.Connection.open", "p.Dao.query:7").leaked(2, 0).add();
    b.direct("p.A.directBuffer", "p.Dao.query:8").live(1, 256).add();
    JsonNode model = model(b.build());

    assertThat(model.get("resources").toString()).isEqualTo("[\"java.sql.Connection\"]");
    assertThat(column(model, "live")).containsExactly(1L, 0L);
    assertThat(column(model, "resource")).containsExactly(0L, 1L);
  }

  @Test
  void misusesComeWithBothPaths() throws IOException {
    SnapshotBuilder b = new SnapshotBuilder();
    List<String> release = List.of("p.A.directBuffer", "p.Cache.put:7", "p.B.release [0]");
    b.direct(release.toArray(new String[0])).released(9, 900).add();
    b.misuse(
        Misuse.Kind.USE_AFTER_RELEASE,
        "p.Cache.get:9",
        3,
        release,
        List.of("p.A.directBuffer", "p.Server.read:3", "p.B.release [0]"));
    b.misuse(Misuse.Kind.DOUBLE_RELEASE, "p.Cache.clear:12", 5, release, List.of());
    JsonNode model = model(b.build());

    JsonNode misuses = model.get("misuses");
    assertThat(misuses.get("kind").toString())
        .isEqualTo("[\"double release\",\"use after release\"]");
    assertThat(misuses.get("place").toString())
        .isEqualTo("[\"p.Cache.clear:12\",\"p.Cache.get:9\"]");
    assertThat(misuses.get("count").toString()).isEqualTo("[5,3]");
    assertThat(hops(model, misuses.get("node").get(1).asInt()))
        .containsExactly("p.A.directBuffer:0 [1-2]", "p.Cache.put:7 [1-2]", "p.B.release:0 [0]");
    assertThat(misuses.get("earlier").get(0).asInt()).isEqualTo(-1);
    assertThat(hops(model, misuses.get("earlier").get(1).asInt()))
        .containsExactly("p.A.directBuffer:0 [1-2]", "p.Server.read:3 [1-2]", "p.B.release:0 [0]");
  }

  @Test
  void namesCannotBecomeMarkup() throws IOException {
    SnapshotBuilder b = new SnapshotBuilder();
    b.heap("a.</script><img/onerror=x>.c").live(1, 1).add();

    assertThat(page(b.build())).doesNotContain("<img");
    assertThat(path(model(b.build()), 0)).containsExactly("a.</script><img/onerror=x>.c:0 [1-2]");
  }

  @Test
  void aHundredThousandPathsTakeATenthOfTheirJson() throws IOException {
    SnapshotBuilder b = new SnapshotBuilder();
    for (int i = 0; i < 100_000; i++) {
      b.direct(
              "io.netty.buffer.PooledByteBufAllocator.directBuffer",
              "com.example.app.Server.channelRead:31",
              "com.example.app.Router.dispatch:" + i % 100,
              "com.example.app.Handler.handle:" + i % 1_000,
              "com.example.app.Codec.encode:" + i)
          .live(1, i)
          .ages(i, i)
          .add();
    }
    Snapshot snapshot = b.build();

    assertThat(page(snapshot).length())
        .isLessThan(SnapshotJsonTest.json(snapshot).length() / 10 + 100_000);
  }

  private static List<String> path(JsonNode model, int path) {
    return hops(model, model.get("paths").get("node").get(path).asInt());
  }

  private static List<String> hops(JsonNode model, int end) {
    List<String> hops = new ArrayList<>();
    int node = end;
    while (true) {
      JsonNode nodes = model.get("nodes");
      int frame = nodes.get("frame").get(node).asInt();
      String name =
          model.get("names").get(model.get("frames").get("name").get(frame).asInt()).asText();
      String refs = model.get("refs").get(nodes.get("ref").get(node).asInt()).asText();
      hops.add(0, name + ":" + model.get("frames").get("line").get(frame) + " [" + refs + "]");
      int up = nodes.get("up").get(node).asInt();
      if (up == 0) {
        return hops;
      }
      node -= up;
    }
  }

  private static List<Long> column(JsonNode model, String name) {
    return StreamSupport.stream(model.get("paths").get(name).spliterator(), false)
        .map(JsonNode::asLong)
        .toList();
  }

  @Test
  void whatIsInTransitIsNoMethod() throws IOException {
    SnapshotBuilder b = new SnapshotBuilder();
    b.heap("(in transit)").live(13, 1_300).add();
    assertThat(model(b.build()).get("names").get(0).asText()).isEqualTo("(in transit)");
  }

  private static JsonNode model(Snapshot snapshot) throws IOException {
    return model(page(snapshot));
  }

  /** What a page carries. */
  static JsonNode model(String page) throws IOException {
    String start = "<script type=\"application/json\" id=\"model\">";
    int from = page.indexOf(start) + start.length();
    return new ObjectMapper().readTree(page.substring(from, page.indexOf("</script>", from)));
  }

  private static String page(Snapshot snapshot) throws IOException {
    StringBuilder out = new StringBuilder();
    FlowHtml.write(snapshot, out);
    return out.toString();
  }
}
