package org.buftrail.report;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.StringReader;
import org.buftrail.model.Snapshot;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * A leak whose last method puts buffers into a collection names those of its class that release.
 */
final class CollectedTest {
  private static final String ROOT = "io.netty.buffer.PooledByteBufAllocator.directBuffer";
  private static final String COLLECTS = "that method can put buffers into a collection";

  private static Snapshot snapshot(String... hops) {
    SnapshotBuilder b = new SnapshotBuilder();
    b.direct(hops).leaked(7, 70).add();
    return b.build();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "collects | " + COLLECTS,
        "collects:drain:9 | " + COLLECTS + "; Batches releases in drain:9",
        "collects:drain:9,a:1,b | " + COLLECTS + "; Batches releases in drain:9, a:1, b",
        "collects:drain:9,a:1,b,c,d | "
            + COLLECTS
            + "; Batches releases in drain:9, a:1, b and others",
      })
  void everySurfaceSaysSo(String collects, String sentence) throws IOException {
    Snapshot snapshot = snapshot(ROOT, "shop.Api$Batches.take:7 " + collects);
    assertThat(EvidenceText.sentences(snapshot.paths().get(0))).containsExactly(sentence);
    StringBuilder text = new StringBuilder();
    TreeReport.write(snapshot, text);
    assertThat(text).contains("  " + sentence + "\n");
    StringBuilder llm = new StringBuilder();
    LlmReport.write(snapshot, llm);
    assertThat(llm).contains(sentence);
    StringBuilder page = new StringBuilder();
    FlowHtml.model(snapshot, page);
    JsonNode evidence = new ObjectMapper().readTree(page.toString()).path("leaks").path("evidence");
    assertThat(evidence.get(0).textValue()).isEqualTo(sentence);
  }

  @Test
  void whatIsLiveThereIsSaidToo() throws IOException {
    SnapshotBuilder b = new SnapshotBuilder();
    b.direct(ROOT, "shop.Batches.take:7 collects:drain:9").live(100, 6_400).ages(9, 5).add();
    b.direct(ROOT, "shop.Batches.old:8 collects:drain:9").released(3, 30).add();
    Snapshot snapshot = b.build();
    String sentence =
        "perhaps in a collection that the last method fills; Batches releases in drain:9";
    StringBuilder text = new StringBuilder();
    TreeReport.write(snapshot, text);
    assertThat(text).contains("median 5 ms\n    " + sentence + "\n").doesNotContain("LEAK 1");
    StringBuilder llm = new StringBuilder();
    LlmReport.write(snapshot, llm);
    assertThat(llm).contains(" live_as=\"" + sentence + '"');
    StringBuilder page = new StringBuilder();
    FlowHtml.model(snapshot, page);
    JsonNode groups = new ObjectMapper().readTree(page.toString()).path("groups");
    assertThat(groups.path("what").toString()).isEqualTo("[\"" + sentence + "\"]");
    assertThat(EvidenceText.live(snapshot.paths().get(1))).isNull();
  }

  @Test
  void onlyTheLastHopCounts() throws IOException {
    Snapshot snapshot = snapshot(ROOT, "shop.Batches.take:7 collects:drain:9", "shop.Log.text:4");
    assertThat(EvidenceText.sentences(snapshot.paths().get(0))).isEmpty();
    StringBuilder json = new StringBuilder();
    SnapshotJson.write(snapshot, json);
    assertThat(json).doesNotContain("collects");
  }

  @Test
  void theFileGivesItBack() throws IOException {
    StringBuilder json = new StringBuilder();
    SnapshotJson.write(snapshot(ROOT, "shop.Batches.take:7 collects:drain:9,a"), json);
    assertThat(json).contains("\"collects\":[\"drain:9\",\"a\"]");
    Snapshot read = SnapshotJsonReader.read(new StringReader(json.toString()));
    StringBuilder again = new StringBuilder();
    SnapshotJson.write(read, again);
    assertThat(again.toString()).isEqualTo(json.toString());
  }
}
