package org.buftrail.web;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.openqa.selenium.Keys;

/** Flame graph, search and table of a page of flows. */
final class FlowGraphPageTest extends FlowPages {
  private static final String FLAME = ".flame:not([hidden])";

  @Test
  void theFlameGraphSwitchesBetweenFatesAndMeasures() throws IOException {
    open(Flows.service());

    assertThat(frames())
        .contains("com.example.app.Errors.reject:88", "com.example.app.Json$Codec.encode:9");
    assertThat(label("all flows")).startsWith("all flows: 1.8 KiB, 100.0 % of all");
    browser.clickText("#flame-section .controls button", "Count");
    assertThat(label("com.example.app.Errors.reject:88"))
        .isEqualTo(
            "com.example.app.Errors.reject:88: 7, 77.8 % of all leaked, reference count 1-2");
    browser.clickText(".controls button", "Live");
    assertThat(frames())
        .contains("com.example.app.Cache.put:7")
        .doesNotContain("com.example.app.Json$Codec.encode:9");
    assertThat(label("all flows")).startsWith("all flows: 103,");
    browser.clickText(".controls button", "Allocated");
    assertThat(label("all flows")).startsWith("all flows: 10,102,");
    browser.clickText(".controls button", "Released");
    assertThat(label("io.netty.buffer.ByteBuf.release")).contains(": 9,990, 100.0 % of all");
  }

  @Test
  void theFlameGraphZoomsByMouseAndKeyboard() throws IOException {
    open(Flows.service());
    browser.clickText(".controls button", "Live");

    browser.clickAt("[role=treeitem][aria-label^='com.example.app.Server.channelRead']");
    assertThat(browser.text(".flame-crumbs")).isEqualTo("Zoomed to Server.channelRead:31 Show all");
    browser.clickText(".flame-crumbs button", "Show all");
    assertThat(browser.text(".flame-crumbs")).isEmpty();

    browser.focus(FLAME).press(Keys.ARROW_DOWN).press(Keys.ARROW_DOWN).press(Keys.ARROW_DOWN);
    assertThat(browser.text(".flame-detail")).startsWith("com.example.app.Cache.put:7: 100.0 MiB");
    browser.press(Keys.ENTER);
    assertThat(browser.text(".flame-crumbs")).startsWith("Zoomed to Cache.put:7");
    browser.press(Keys.ESCAPE);
    assertThat(browser.text(".flame-crumbs")).startsWith("Zoomed to Server.channelRead:31");
    assertThat(browser.attributes(FLAME + " [aria-selected=true]", "aria-label").get(0))
        .startsWith("com.example.app.Server.channelRead:31");
  }

  @Test
  void aSearchNarrowsEverything() throws IOException {
    open(Flows.service());

    browser.press("/").press("errors");
    browser.awaitText(
        ".search-result", "1 match; through them leaked 1.8 KiB, live 768 B, allocated 2.5 KiB");
    assertThat(browser.texts(".leak-place")).containsExactly("Errors.reject:88");
    assertThat(browser.text(".leaks-summary")).isEqualTo("1 leak path of 2 match the search.");
    assertThat(browser.text(".table-summary")).isEqualTo("1 of 4 paths");
    browser.press(Keys.ENTER);
    assertThat(browser.text(".search-at")).isEqualTo("1 of 1");
    assertThat(browser.text(".flame-detail")).startsWith("com.example.app.Errors.reject:88");
  }

  @Test
  void theTableSortsAndOpensAPath() throws IOException {
    open(Flows.service());

    assertThat(leaves()).startsWith("Errors.reject:88", "Json$Codec.encode:9, returned");
    browser.clickText(".vhead button", "Live");
    assertThat(leaves()).startsWith("Cache.put:7", "Errors.reject:88");
    browser.clickText(".vhead button", "Last hop");
    assertThat(leaves()).startsWith("Cache.put:7", "Echo.reply:12 → released");

    browser.focus(".vtable").press(Keys.ENTER);
    assertThat(browser.text("dialog h2")).isEqualTo("Cache.put:7");
    assertThat(browser.texts("dialog .hops tbody tr"))
        .hasSize(3)
        .last()
        .asString()
        .endsWith("end of the path");
    browser.screenshot("path-dialog");
    browser.clickText("dialog button", "Show in flame graph");
    assertThat(browser.text(".flame-crumbs")).startsWith("Zoomed to Cache.put:7");
  }

  @Test
  void aHundredThousandPathsDoNotFreezeIt() throws IOException {
    Path page = write(Flows.many(100_000));
    long start = System.nanoTime();
    browser.open(page);
    assertThat(millisSince(start)).as("opens").isLessThan(10_000);
    assertThat(browser.number("document.querySelectorAll('*').length")).isLessThan(25_000);
    browser.screenshot("flows-many");

    assertFast(
        "switches", "document.querySelector('.controls button[data-value=allocated]').click()");
    assertFast(
        "zooms",
        "document.querySelector('.flame:not([hidden])').dispatchEvent(new KeyboardEvent('keydown',"
            + " {key: 'Enter'}))");
    assertFast("sorts", "document.querySelectorAll('.vhead button')[2].click()");
    assertFast("scrolls", "document.querySelector('.vtable').scrollTop = 1e7");
    assertThat(leaves()).isNotEmpty();
    browser.focus("#search").press("leaf99999").press(Keys.ENTER);
    browser.awaitText(".table-summary", "1 of 100,000 paths");
    assertFast(
        "searches",
        "const s = document.getElementById('search'); s.value = 'handler1';"
            + "s.dispatchEvent(new KeyboardEvent('keydown', {key: 'Enter', bubbles: true}))");
  }

  /** The page's own work, without the way to the browser and back. */
  private void assertFast(String what, String script) {
    long millis =
        browser.number(
            "(() => { const t = performance.now(); "
                + script
                + "; return performance.now() - t; })()");
    assertThat(millis).as(what).isLessThan(2_000);
    browser.settle();
  }

  private static long millisSince(long start) {
    return (System.nanoTime() - start) / 1_000_000;
  }

  private List<String> frames() {
    return browser.attributes("[role=treeitem]", "aria-label").stream()
        .map(label -> label.substring(0, label.indexOf(": ")))
        .toList();
  }
}
