package org.buftrail.report;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.buftrail.profile.html.SourceLinks;
import org.buftrail.profile.json.JsonOut;
import org.junit.jupiter.api.Test;

/**
 * What pages carry is what the unit tests of {@code web/} show. After a change, {@code
 * -Dbuftrail.docs=update -Dtest=PagesForWebTest} writes it, and {@code npm test} there says what
 * looks different.
 */
final class PagesForWebTest {
  private static final Path PAGES = Path.of("../web/test/pages");
  private static final long TAKEN_AT = SnapshotBuilder.TAKEN_AT;

  @Test
  void aPageOfFlowsWithAllThatOneCanHave() throws IOException {
    StringBuilder page = new StringBuilder();
    FlowHtml.write(
        ShopSnapshots.shop(), SourceLinks.parse("https://git.example/{path}#L{line}"), page);
    assertKept("shop.json", page);
  }

  @Test
  void aPageOfManyLeaksWithWhatWasBefore() throws IOException {
    StringBuilder page = new StringBuilder();
    FlowHtml.write(ShopSnapshots.many(), PagesForWebTest::history, page);
    assertKept("many.json", page);
  }

  @Test
  void aPageOfFlowsThatNobodyLost() throws IOException {
    StringBuilder page = new StringBuilder();
    FlowHtml.write(ShopSnapshots.quiet(), page);
    assertKept("quiet.json", page);
  }

  private static void assertKept(String name, CharSequence page) throws IOException {
    String model = FlowHtmlTest.model(page.toString()) + "\n";
    Path file = PAGES.resolve(name);
    if ("update".equals(System.getProperty("buftrail.docs"))) {
      Files.writeString(file, model);
    }
    assertThat(model).isEqualTo(Files.readString(file));
  }

  private static void history(JsonOut json) throws IOException {
    long[] times = {TAKEN_AT - 20_000, TAKEN_AT - 15_000, TAKEN_AT - 10_000, TAKEN_AT - 5_000};
    json.beginObject().name("stepMillis").value(5_000);
    array(json, "times", times);
    array(json, "liveDirect", 100, 700, 300, 503);
    array(json, "liveHeap", 11, 13, 17, 19);
    array(json, "leaked", 0, 0, 41, 83);
    array(json, "allocated", 111, 1_009, 2_003, 3_001);
    json.name("paths").beginArray();
    series(json, ShopSnapshots.DIRECT, "direct", 90, 600, 200, 401);
    series(json, ShopSnapshots.DIRECT + " > " + ShopSnapshots.READ, "direct", 0, 90, 80, 71);
    series(
        json,
        ShopSnapshots.HEAP + " > com.example.shop.Json$Codec.encode_return:19",
        "heap",
        0,
        0,
        9,
        7);
    json.endArray().endObject();
  }

  private static void series(JsonOut json, String hops, String memory, long... live)
      throws IOException {
    json.beginObject().name("hops").value(hops).name("memory").value(memory);
    array(json, "live", live);
    array(json, "leaked", 0, 0, 1, live[3] / 7);
    array(json, "allocated", 1, 2, live[2] + 1, live[3] + 3);
    json.endObject();
  }

  private static void array(JsonOut json, String name, long... values) throws IOException {
    json.name(name).beginArray();
    for (long value : values) {
      json.value(value);
    }
    json.endArray();
  }
}
