package org.buftrail.web;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.Writer;
import java.nio.file.Files;
import java.util.List;
import org.buftrail.model.Births;
import org.buftrail.model.Minutes;
import org.buftrail.model.Path;
import org.buftrail.model.Peak;
import org.buftrail.model.Site;
import org.buftrail.profile.json.JsonOut;
import org.buftrail.report.FlowHtml;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Bytes over time, on a page that was kept of the live page. */
final class TimelineTest {
  /** 2026-01-01T00:00:00Z. */
  private static final long START = 1_767_225_600_000L;

  @Test
  void aPageThatWasKeptHasItsTimeline(@TempDir java.nio.file.Path dir) throws IOException {
    java.nio.file.Path page = dir.resolve("kept.html");
    try (Writer out = Files.newBufferedWriter(page)) {
      FlowHtml.write(Flows.service(), TimelineTest::history, out);
    }
    try (Browser browser = new Browser()) {
      browser.size(1440, 900).open(page);
      browser.await(".sankey svg");
      assertThat(browser.number("document.querySelector('.sankey').getBoundingClientRect().top"))
          .as("timeline above, streams and leaks below, in one view")
          .isLessThanOrEqualTo(660);
      assertThat(
              browser.number("document.querySelector('.history').getBoundingClientRect().bottom"))
          .isLessThan(
              browser.number("document.querySelector('.sankey').getBoundingClientRect().top"));
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

  /** Three minutes: 40 buffers come in the first, 30 of them go in the second. */
  private static Minutes minutes() {
    Path.Flows none = Path.Flows.NONE;
    List<Path.Hop> hops =
        List.of(
            new Path.Hop(new Site("x.Root", "a", "", 0, ""), "1-2", false, false),
            new Path.Hop(new Site("app.A", "keep", "", 7, ""), "1-2", false, false));
    List<Minutes.Change> changes =
        List.of(
            new Minutes.Change(0, none, none, new Path.Flows(40, 40_960)),
            new Minutes.Change(1, new Path.Flows(30, 30_720), none, new Path.Flows(10, 10_240)));
    Births births = new Births(new long[] {START, 10, 10_240});
    return new Minutes(
        START,
        new long[] {START + 60_000, START + 120_000, START + 180_000},
        new Minutes.Series(List.of(), false, none, changes, births),
        List.of(new Minutes.Series(hops, true, none, changes, births)));
  }

  @Test
  void aDragOverTheChartChoosesARange(@TempDir java.nio.file.Path dir) throws IOException {
    java.nio.file.Path page = dir.resolve("minutes.html");
    Peak.Row row = new Peak.Row(minutes().paths().get(0).hops(), true, new Path.Flows(40, 40_960));
    Peak peak = new Peak(START + 30_050, new Path.Flows(41, 50_000), List.of(row));
    try (Writer out = Files.newBufferedWriter(page)) {
      FlowHtml.write(Flows.service().with(minutes()).with(peak), out);
    }
    try (Browser browser = new Browser()) {
      browser.open(page).drag(".history .plot svg", 0.12, 0.36);
      browser.await(".range");
      assertThat(browser.text("#range-title"))
          .isEqualTo("From 2026-01-01 00:00:00 UTC to 2026-01-01 00:01:00 UTC");
      assertThat(browser.text(".range-lead"))
          .isEqualTo(
              "Grew by 40.0 KiB, from 0 B to 40.0 KiB live: 40 buffers (40.0 KiB) allocated,"
                  + " 10 of them (10.0 KiB) live now; 0 (0 B) released.");
      assertThat(browser.text(".range .vbody .vrow")).startsWith("A.keep:7\n40.0 KiB");
      assertThat(browser.text("#peak-title")).isEqualTo("The peak, by path");
      assertThat(browser.texts(".memory-lead"))
          .contains(
              "48.8 KiB in 41 buffers were live at 2026-01-01 00:00:30 UTC, more than ever since"
                  + " the start.");
      browser.screenshot("range");
      browser.clickText(".history button", "24 hours");
      browser.assertAccessible();
      browser.clickText(".history button", "Close the range");
      assertThat(browser.texts(".range")).isEmpty();
      browser.back().await(".range");
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
