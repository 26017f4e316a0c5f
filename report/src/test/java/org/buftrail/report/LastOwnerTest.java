package org.buftrail.report;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.StringReader;
import org.buftrail.model.Path;
import org.buftrail.model.Snapshot;
import org.junit.jupiter.api.Test;

/** A leak whose last hop could only read names the hop that had it, on every surface. */
final class LastOwnerTest {
  private static final String ROOT = "io.netty.buffer.PooledByteBufAllocator.directBuffer";
  private static final String HANDLE = "shop.Orders.handle:42";

  private static Snapshot snapshot(String last) {
    SnapshotBuilder b = new SnapshotBuilder();
    b.direct(ROOT, "shop.Orders.take:9", HANDLE, last).leaked(7, 70).add();
    b.direct(ROOT, "shop.Orders.take:9", HANDLE, last + " [3-5]").leaked(2, 20).add();
    return b.build();
  }

  private static String text(Writer writer, Snapshot snapshot) throws IOException {
    StringBuilder text = new StringBuilder();
    writer.write(snapshot, text);
    return text.toString();
  }

  private interface Writer {
    void write(Snapshot snapshot, Appendable out) throws IOException;
  }

  @Test
  void everySurfaceNamesIt() throws IOException {
    Snapshot snapshot = snapshot("shop.Parser.isValid:7 reads");
    assertThat(text(TreeReport::write, snapshot))
        .contains(
            """

            LEAK 1 of 1  CRITICAL (direct memory)  9 flows, 90 B, 100.0 % of leaked bytes
              last read in shop.Parser.isValid:7 with reference count 1-2, 3-5; shop.Orders.handle:42 had it
                     1-2  io.netty.buffer.PooledByteBufAllocator.directBuffer
                     1-2  shop.Orders.take:9
                     1-2  shop.Orders.handle:42  <== had it
                1-2, 3-5  shop.Parser.isValid:7  <== last read here
            """);
    assertThat(text(LlmReport::write, snapshot))
        .contains(
            " last_owner=where last_seen can only read: ",
            " last_seen=shop.Parser.isValid:7 last_owner=shop.Orders.handle:42 path=");
    assertThat(OwnerText.sentence(snapshot.paths().get(0)))
        .isEqualTo("last read in shop.Parser.isValid:7; shop.Orders.handle:42 had it");
    JsonNode page = new ObjectMapper().readTree(text(FlowHtml::model, snapshot));
    assertThat(page.path("leaks").path("owner").toString())
        .isEqualTo("[\"shop.Orders.handle:42\",\"shop.Orders.handle:42\"]");
  }

  @Test
  void theFileGivesItBack() throws IOException {
    String json = text(SnapshotJson::write, snapshot("shop.Parser.isValid:7 reads"));
    JsonNode path = new ObjectMapper().readTree(json).path("paths").get(0);
    assertThat(path.path("lastOwner").toString())
        .isEqualTo("{\"class\":\"shop.Orders\",\"method\":\"handle\",\"line\":42}");
    assertThat(path.path("sites").get(3).path("onlyReads").asBoolean()).isTrue();
    assertThat(path.path("sites").get(2).has("onlyReads")).isFalse();
    Snapshot read = SnapshotJsonReader.read(new StringReader(json));
    assertThat(text(SnapshotJson::write, read)).isEqualTo(json);
    Path.Hop owner = read.paths().get(0).lastOwner();
    assertThat(owner).isNotNull();
    assertThat(owner.site()).hasToString(HANDLE);
  }

  @Test
  void aLastHopThatCouldReleaseIsAsEver() throws IOException {
    Snapshot snapshot = snapshot("shop.Parser.isValid:7");
    assertThat(text(TreeReport::write, snapshot))
        .contains("  last seen in shop.Parser.isValid:7 with", "  <== last seen here\n")
        .doesNotContain("had it", "last read");
    assertThat(text(LlmReport::write, snapshot)).doesNotContain(" last_owner=shop");
    assertThat(text(SnapshotJson::write, snapshot)).doesNotContain("lastOwner", "onlyReads");
    assertThat(OwnerText.sentence(snapshot.paths().get(0))).isNull();
  }
}
