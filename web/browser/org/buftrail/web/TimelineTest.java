package org.buftrail.web;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.Writer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.buftrail.profile.json.JsonOut;
import org.buftrail.report.FlowHtml;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Bytes over time, on a page that was kept of the live page. */
final class TimelineTest {
  @Test
  void aPageThatWasKeptHasItsTimeline(@TempDir Path dir) throws IOException {
    Path page = dir.resolve("kept.html");
    try (Writer out = Files.newBufferedWriter(page)) {
      FlowHtml.write(Flows.service(), TimelineTest::history, out);
    }
    try (Browser browser = new Browser()) {
      browser.size(1440, 900).open(page);
      browser.await(".sankey svg");
      assertThat(browser.number("document.querySelector('.sankey').getBoundingClientRect().top"))
          .as("timeline above, streams and leaks below, in one view")
          .isLessThanOrEqualTo(660);
      assertThat(browser.number("document.querySelector('.history').getBoundingClientRect().bottom"))
          .isLessThan(browser.number("document.querySelector('.sankey').getBoundingClientRect().top"));
      assertThat(browser.text(".history h2")).isEqualTo("Live bytes by path");
      assertThat(browser.texts(".history .legend li")).containsExactly("A.a:7\n200 B direct");
      browser.clickText(".history button", "Leaked");
      assertThat(browser.text(".history h2")).isEqualTo("Leaked bytes by path");
      assertThat(browser.texts(".history .legend li")).containsExactly("A.a:7\n50 B direct");
      assertThat(browser.attributes(".history svg", "aria-label"))
          .containsExactly("Leaked bytes: now 50 B, at most 100 B");
      browser.screenshot("timeline").back();
      assertThat(browser.text(".history h2")).isEqualTo("Live bytes by path");
      browser.assertAccessible();
      browser.assertNoSidewaysScroll();
      browser.assertQuiet();
    }
  }

  private static void history(JsonOut json) throws IOException {
    json.beginObject().name("stepMillis").value(5_000);
    for (String name : List.of("times", "liveDirect", "liveHeap", "leaked", "allocated")) {
      json.name(name).beginArray();
      json.value(name.equals("times") ? 1_767_225_600_000L : 100);
      json.value(name.equals("times") ? 1_767_225_605_000L : name.equals("leaked") ? 50 : 200);
      json.endArray();
    }
    json.name("paths").beginArray().beginObject().name("hops").value("x.Root.a > app.A.a:7");
    json.name("memory").value("direct");
    json.name("live").beginArray().value(100).value(200).endArray();
    json.name("leaked").beginArray().value(0).value(50).endArray();
    json.name("allocated").beginArray().value(100).value(200).endArray();
    json.endObject().endArray().endObject();
  }
}
