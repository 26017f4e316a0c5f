package org.buftrail.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.StringReader;
import java.util.List;
import java.util.Objects;
import org.buftrail.model.Evidence;
import org.buftrail.model.Evidence.Kind;
import org.buftrail.model.Path;
import org.buftrail.model.Site;
import org.buftrail.model.Snapshot;
import org.junit.jupiter.api.Test;

/** Reports count live buffers as people do, in the words that they have for leaks. */
final class LiveGroupsTest {
  private static final String REQUESTS =
      "a FullHttpRequest each, 60 buffers in all (18 of 18 looks)";

  private static Evidence seen(int looks) {
    Site request = new Site("io.netty.codec.http.FullHttpRequest", "", "", 0, "");
    Evidence.Place place = new Evidence.Place(null, List.of(request), List.of(), looks);
    return Objects.requireNonNull(
        new Evidence.Builder().looks(looks).add(Kind.MESSAGE, place).build());
  }

  private static SnapshotBuilder holding(SnapshotBuilder builder) {
    builder
        .direct("io.Allocator.compositeDirectBuffer", "shop.Queue.put:7")
        .live(60, 4_096)
        .ages(60_000, 30_000)
        .together(40, seen(18))
        .add();
    builder.direct("io.Allocator.directBuffer", "shop.Cache.put:9").live(1, 8).add();
    return builder;
  }

  /** Beside others that came to the place and were released. */
  private static Snapshot snapshot() {
    SnapshotBuilder builder = holding(new SnapshotBuilder());
    builder
        .direct("io.Allocator.compositeDirectBuffer", "shop.Queue.put:7", "io.ByteBuf.release [0]")
        .released(10, 640)
        .samples(14, 13)
        .add();
    return builder.build();
  }

  @Test
  void theTextSaysSo() throws IOException {
    StringBuilder out = new StringBuilder();
    TreeReport.write(holding(new SnapshotBuilder()).build(), out);
    assertThat(out.toString())
        .contains(
            "  60 flows, 4.0 KiB direct, 40 of them parts of composites, oldest 1 min 0 s, median"
                + " 30.0 s\n    "
                + REQUESTS
                + "\n    Allocator.compositeDirectBuffer > Queue.put:7\n")
        .contains("  1 flow, 8 B direct\n    Allocator.directBuffer > Cache.put:9\n");
  }

  @Test
  void soItDoesOfSuspects() throws IOException {
    StringBuilder out = new StringBuilder();
    SuspectText.write(snapshot(), out);
    assertThat(out.toString())
        .contains(
            "  60 flows, 4.0 KiB live in shop.Queue.put:7, 40 of them parts of composites\n    "
                + REQUESTS
                + "\n");
  }

  @Test
  void languageModelsAreToldToo() throws IOException {
    StringBuilder out = new StringBuilder();
    LlmReport.write(snapshot(), out);
    String together = " live_parts=40 live_as=\"" + REQUESTS + "\"";
    assertThat(out.toString().lines().filter(line -> line.contains(together)))
        .hasSize(2)
        .anyMatch(line -> line.startsWith("suspect "))
        .anyMatch(line -> line.startsWith("flow "));
  }

  @Test
  void thePageHasTheSentence() throws IOException {
    StringBuilder out = new StringBuilder();
    FlowHtml.model(holding(new SnapshotBuilder()).build(), out);
    JsonNode groups = new ObjectMapper().readTree(out.toString()).path("groups");
    assertThat(groups.path("path")).hasSize(1);
    assertThat(groups.path("parts").get(0).intValue()).isEqualTo(40);
    assertThat(groups.path("what").get(0).textValue()).isEqualTo(REQUESTS);
    StringBuilder without = new StringBuilder();
    FlowHtml.model(SnapshotBuilder.service(), without);
    assertThat(new ObjectMapper().readTree(without.toString()).has("groups")).isFalse();
  }

  private static String json(Snapshot snapshot) throws IOException {
    StringBuilder out = new StringBuilder();
    SnapshotJson.write(snapshot, out);
    return out.toString();
  }

  @Test
  void aFileKeepsItAndSeveralAddUp() throws IOException {
    Snapshot read = SnapshotJsonReader.read(new StringReader(json(snapshot())));
    Path sum = new Pods("shop", List.of(read, read)).sum().paths().get(0);
    assertThat(sum.live().count()).isEqualTo(120);
    assertThat(sum.liveParts()).isEqualTo(80);
    assertThat(EvidenceText.live(sum))
        .isEqualTo("a FullHttpRequest each, 120 buffers in all (36 of 36 looks)");
  }

  @Test
  void onePartOfOneThingIsSaidWithoutASum() {
    SnapshotBuilder one = new SnapshotBuilder();
    one.direct("io.Allocator.compositeDirectBuffer").live(3, 8).together(2, seen(1)).add();
    one.direct("io.Allocator.compositeHeapBuffer").live(3, 8).together(2, null).add();
    List<Path> paths = one.build().paths();
    assertThat(EvidenceText.live(paths.get(0)))
        .isEqualTo("a FullHttpRequest, 3 buffers (1 of 1 look)");
    assertThat(EvidenceText.live(paths.get(1))).isNull();
  }

  @Test
  void morePartsThanFlowsAreRefused() throws IOException {
    String wrong = json(snapshot()).replace("\"liveParts\":40", "\"liveParts\":61");
    assertThatThrownBy(() -> SnapshotJsonReader.read(new StringReader(wrong)))
        .hasMessageContaining("a path has more parts of live flows than live flows");
  }
}
