package org.buftrail.report;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.StringReader;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import org.buftrail.model.Path;
import org.buftrail.model.Site;
import org.buftrail.model.Snapshot;
import org.buftrail.model.TrackedProcess;
import org.buftrail.model.TrackerStatus;
import org.junit.jupiter.api.Test;

class SnapshotJsonTest {
  @Test
  void writesTheDocumentedText() throws IOException {
    SnapshotBuilder snapshot = new SnapshotBuilder().sampling(4).overflowed(5).suppressedErrors(6);
    snapshot
        .direct(
            "io.netty.buffer.PooledByteBufAllocator.directBuffer", "a.B$C.take_return:7 [3-5] loop")
        .released(1, 16)
        .leaked(2, 32)
        .holding(7)
        .dropped(8, 64)
        .live(3, 48)
        .ages(90, 45)
        .seen(0, 1_500)
        .add();

    assertThat(json(snapshot.build()))
        .isEqualTo(
            "{\"format\":\"buftrail.flows\",\"version\":1,\"takenAt\":\"2026-01-31T12:00:00.250Z\","
                + "\"sampling\":4,\"hopRules\":4,\"totals\":{\"allocated\":21,\"released\":1,\"leaked\":2,\"live\":3,"
                + "\"releasedBytes\":16,\"leakedBytes\":32,\"liveBytes\":48,\"held\":7,\"dropped\":8,\"droppedBytes\":64,\"overflowed\":5,\"suppressedErrors\":6},\"paths\":[\n"
                + "{\"hops\":[\"PooledByteBufAllocator.directBuffer\",\"B$C.take_return\"],"
                + "\"refs\":[\"1-2\",\"3-5\"],\"sites\":["
                + "{\"class\":\"io.netty.buffer.PooledByteBufAllocator\",\"method\":\"directBuffer\"},"
                + "{\"class\":\"a.B$C\",\"method\":\"take_return\",\"line\":7,\"loop\":true}],"
                + "\"direct\":true,\"released\":1,\"leaked\":2,\"live\":3,\"releasedBytes\":16,"
                + "\"leakedBytes\":32,\"liveBytes\":48,\"held\":7,\"dropped\":8,\"droppedBytes\":64,\"oldestMillis\":90,\"medianMillis\":45,\"severity\":\"critical\",\"firstSeen\":\"1970-01-01T00:00:00Z\",\"lastSeen\":\"1970-01-01T00:00:01.500Z\"}]}\n");
  }

  @Test
  void saysWhoseFlowsTheseAre() throws IOException {
    Snapshot snapshot = SnapshotBuilder.service();
    TrackedProcess orders =
        new TrackedProcess("orders", 1507, "web-3", 1_500, "17.0.12", "sample=8");
    assertThat(json(snapshot)).doesNotContain("process");
    assertThat(json(snapshot.of(orders)))
        .contains(
            "\"sampling\":1,\"hopRules\":4,\"process\":{\"name\":\"orders\",\"pid\":1507,\"host\":\"web-3\","
                + "\"startedAt\":\"1970-01-01T00:00:01.500Z\",\"java\":\"17.0.12\","
                + "\"options\":\"sample=8\"},\"totals\"");
    assertThat(json(snapshot.of(new TrackedProcess("", 1507, "", Path.NEVER, "", ""))))
        .contains("\"process\":{\"pid\":1507},");
  }

  @Test
  void aSuspectHasItsReasons() throws IOException {
    SnapshotBuilder b = new SnapshotBuilder();
    b.direct("x.Root.a", "x.Api.read:3", "x.Api.refuse:48")
        .live(30, 300)
        .ages(60_000, 30_000)
        .add();
    b.direct("x.Root.a", "x.Api.read:3", "x.Api.reply:53", "io.netty.buffer.ByteBuf.release [0]")
        .released(5, 50)
        .add();

    JsonNode paths = new ObjectMapper().readTree(json(b.build())).get("paths");
    assertThat(paths.get(0).get("suspect"))
        .hasToString(
            "{\"arrived\":30,\"gone\":0,"
                + "\"siblingsReleaseIn\":{\"class\":\"x.Api\",\"method\":\"reply\",\"line\":53}}");
    assertThat(paths.get(1).has("suspect")).isFalse();
  }

  @Test
  void samplesComeBackAndSayWhyAPathIsSuspect() throws IOException {
    SnapshotBuilder b = new SnapshotBuilder();
    b.direct("x.Pool.get", "x.Api.isValid:3").live(91, 9_100).ages(11_800, 5_400).add();
    b.direct(
            "x.Pool.get", "x.Api.isValid:3", "x.Api.reply:5", "io.netty.buffer.ByteBuf.release [0]")
        .released(924, 92_400)
        .samples(14, 13)
        .add();
    Snapshot snapshot = b.build();
    String json = json(snapshot);
    assertThat(json)
        .contains("\"others\":{\"samples\":14,\"medianMicros\":8192,\"p99Micros\":8192,")
        .contains("\"longestMillis\":40,\"youngestMillis\":20,\"lifetimes\":[0,0,");
    StringBuilder text = new StringBuilder();
    SuspectText.write(snapshot, text);
    assertThat(text)
        .contains("1,015 in, 924 out; oldest 11.8 s")
        .contains(
            "others are released within 8 ms (p99 8 ms, 14 samples); half of these are older");
    Snapshot read = SnapshotJsonReader.read(new StringReader(json));
    assertThat(json(read)).isEqualTo(json);
  }

  @Test
  void ordersByLeakedThenLiveBytesThenHops() throws IOException {
    SnapshotBuilder b = new SnapshotBuilder();
    b.heap("x.Last.a").released(1, 999).add();
    b.heap("x.Root.a", "x.B.b").live(1, 10).add();
    b.heap("x.Root.a", "x.A.b").live(1, 10).add();
    b.heap("x.Root.a").live(1, 10).add();
    b.heap("x.Z.z").leaked(1, 1).add();
    b.heap("x.Y.y").leaked(1, 2).add();
    Snapshot snapshot = b.build();

    List<String> leaves = new ArrayList<>();
    for (JsonNode path : new ObjectMapper().readTree(json(snapshot)).get("paths")) {
      leaves.add(path.get("hops").get(path.get("hops").size() - 1).asText());
    }
    assertThat(leaves).containsExactly("Y.y", "Z.z", "Root.a", "A.b", "B.b", "Last.a");
  }

  @Test
  void equalSnapshotsGiveEqualTextWhateverTheOrderOfTheirPaths() throws IOException {
    Snapshot snapshot = SnapshotBuilder.service();
    List<Path> shuffled = new ArrayList<>(snapshot.paths());
    Collections.shuffle(shuffled, new Random(3));
    Snapshot other =
        new Snapshot(
            snapshot.takenAtMillis(),
            1,
            snapshot.allocated(),
            0,
            TrackerStatus.FINE,
            shuffled,
            List.of());

    assertThat(json(other)).isEqualTo(json(snapshot));
  }

  @Test
  void namesThatNeedEscapingReachAnotherParserUnchanged() throws IOException {
    String odd = "q\"b\\s/\b\f\n\r\t\u0001\u007f\u2028</script>é\uD83D\uDE00";
    Path.Hop hop = new Path.Hop(new Site("p." + odd, odd, "", 1, ""), "1-2", false, false);
    Snapshot snapshot = new Snapshot(0, 1, 0, 0, TrackerStatus.FINE, List.of(path(hop)), List.of());

    JsonNode site =
        new ObjectMapper().readTree(json(snapshot)).get("paths").get(0).get("sites").get(0);
    assertThat(site.get("class").asText()).isEqualTo("p." + odd);
    assertThat(site.get("method").asText()).isEqualTo(odd);
  }

  @Test
  void loneSurrogatesAreEscapedAsUtf8CannotHoldThem() throws IOException {
    Path.Hop hop = new Path.Hop(new Site("p.C", "a\uD83Db\uDE00", "", 0, ""), "0", false, false);

    assertThat(json(new Snapshot(0, 1, 0, 0, TrackerStatus.FINE, List.of(path(hop)), List.of())))
        .contains("a\\ud83db\\ude00")
        .matches(s -> s.chars().allMatch(c -> c < 0x80), "is ASCII");
  }

  @Test
  void anEmptySnapshotIsWhole() throws IOException {
    assertThat(json(new SnapshotBuilder().build()))
        .endsWith("\"overflowed\":0,\"suppressedErrors\":0},\"paths\":[]}\n");
  }

  static Path path(Path.Hop... hops) {
    return new Path(
        List.of(hops), false, Path.Flows.NONE, Path.Flows.NONE, Path.Flows.NONE, -1, -1);
  }

  static String json(Snapshot snapshot) throws IOException {
    StringBuilder out = new StringBuilder();
    SnapshotJson.write(snapshot, out);
    return out.toString();
  }
}
