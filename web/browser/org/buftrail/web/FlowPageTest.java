package org.buftrail.web;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.Writer;
import java.nio.file.Files;
import java.nio.file.Path;
import org.buftrail.model.TrackedProcess;
import org.buftrail.profile.html.SourceLinks;
import org.buftrail.report.FlowHtml;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.openqa.selenium.Keys;

/** What a page of flows says, and how it looks. */
final class FlowPageTest extends FlowPages {
  /** The heads and figures that are wider than their cells. */
  private static final String CUT =
      "return [...document.querySelectorAll('.vcell.numeric, .vhead .vcell:not(:first-child)')]"
          + ".filter(cell => cell.scrollWidth > cell.clientWidth)"
          + ".map(cell => cell.textContent).join()";

  @Test
  void ownMethodsAreLinkedToTheirSource(@TempDir Path dir) throws IOException {
    Path linked = dir.resolve("linked.html");
    SourceLinks source = SourceLinks.parse("https://git.example/blob/main/{path}#L{line}");
    try (Writer out = Files.newBufferedWriter(linked)) {
      FlowHtml.write(Flows.service(), source, out);
    }
    browser.open(linked);
    assertThat(browser.attributes(".leaks .hops a", "href"))
        .isNotEmpty()
        .allMatch(
            address ->
                address.matches(
                    "https://git[.]example/blob/main/com/example/app/\\w+[.]java#L\\d+"));
    browser.assertAccessible();
    browser.assertQuiet();
  }

  @Test
  void theHeadlineSaysHowMuchLeaksAndHowBadItIs() throws IOException {
    open(Flows.service());

    assertThat(browser.texts(".card"))
        .containsExactly(
            "Leaked\n1.8 KiB\n9 flows\ncritical: 1.8 KiB of direct memory\nmoderate: 64 B of heap",
            "Live\n100.0 MiB\n103 flows\n100.0 MiB direct, 0 B heap\noldest 1 h 0 min",
            "Released\n2.4 MiB\n9,990 flows\n98.9 % of all flows",
            "Allocated\n102.4 MiB\n10,102 flows\non 4 paths");
    assertThat(browser.texts(".warnings li"))
        .containsExactly(
            "1 in 16 allocations was followed; counts and bytes are scaled up to all.",
            "12 flows went past a bound of the trie and are counted in hops marked overflow.");
    browser.assertQuiet();
  }

  @Test
  void theTopSaysWhoseFlowsTheseAre() throws IOException {
    open(Flows.service());
    assertThat(browser.texts("header .about")).as("of an older agent").isEmpty();
    open(
        Flows.service()
            .of(
                new TrackedProcess(
                    "orders",
                    1507,
                    "web-3",
                    Flows.TAKEN_AT - 754_000,
                    "21.0.5",
                    "report=<b>.html;httpToken=…")));

    assertThat(browser.texts("header .about"))
        .containsExactly(
            "orders · process 1507 on web-3 · up 12 min 34 s · Java 21.0.5 ·"
                + " options report=<b>.html;httpToken=…");
    browser.assertQuiet();
  }

  @Test
  void leaksAreRankedAndOpenToTheirHops() throws IOException {
    open(Flows.service());

    assertThat(browser.texts("[aria-labelledby=leaks-title] .leaks summary"))
        .containsExactly(
            "critical\nErrors.reject:88\n1.8 KiB\n7 flows"
                + " · 96.6 % of leaked bytes · since 7 min 0 s",
            "moderate\nJson$Codec.encode:9, returned\n64 B\n2 flows"
                + " · 3.4 % of leaked bytes · since 2 min 0 s");
    assertThat(browser.texts(".leaks li:first-child .hops tbody tr"))
        .as("the worst is open")
        .containsExactly(
            "1 1-2 io.netty.buffer.PooledByteBufAllocator.directBuffer",
            "2 1-2 com.example.app.Server.channelRead:31",
            "3 1-2 com.example.app.Server.dispatch:44",
            "4 1-2 com.example.app.Errors.reject:88last seen here");
    assertThat(browser.texts(".leaks li:first-child .fates div"))
        .contains(
            "First found\n2026-01-31 11:53:00 UTC, 7 min 0 s earlier",
            "Last found\n2026-01-31 12:00:00 UTC",
            "Rate\n1.0 flow/min, 256 B/min");
    browser.focus(".leaks li:nth-child(2) summary").press(Keys.ENTER);
    assertThat(browser.texts(".leaks li:nth-child(2) .hops tbody tr")).hasSize(2);
  }

  @Test
  void streamsEndInRedWhichOpensThePath() throws IOException {
    open(Flows.service());

    // By count, since the cache dwarfs the leak in bytes.
    assertThat(browser.texts(".stream-ends button"))
        .startsWith(
            "Cache.put:7: 100 live, 1.0 % of all", "Errors.reject:88: 7 leaked, 0.1 % of all");
    browser.screenshot("streams");
    browser.clickText("[aria-label='Width of streams'] button", "Bytes");
    assertThat(browser.texts(".stream-ends button"))
        .containsExactly(
            "Cache.put:7: 100.0 MiB live, 97.6 % of all",
            "Errors.reject:88: 1.8 KiB leaked, 0.0 % of all",
            "Errors.reject:88: 768 B live, 0.0 % of all",
            "Json$Codec.encode:9: 64 B leaked, 0.0 % of all");
    browser.clickText(".stream-ends button", "Errors.reject:88: 1.8 KiB leaked, 0.0 % of all");
    assertThat(browser.text("dialog h2")).isEqualTo("Errors.reject:88");
    browser.press(Keys.ESCAPE).back();
    browser.awaitText(".stream-ends button", "Cache.put:7: 100 live, 1.0 % of all");
    browser.assertAccessible();
  }

  @ParameterizedTest
  @CsvSource({"1440, 900", "2560, 1400"})
  void leaksAndStreamsStandInOneView(int width, int height) throws IOException {
    browser.size(width, height);
    open(Flows.service());

    assertThat(browser.number("document.querySelector('.sankey').getBoundingClientRect().bottom"))
        .isLessThan(height);
    assertThat(browser.number("document.querySelector('.leaks').getBoundingClientRect().right"))
        .as("beside each other")
        .isLessThan(
            browser.number("document.querySelector('.sankey').getBoundingClientRect().left"));
    assertThat(browser.number("document.querySelector('.sankey').clientWidth"))
        .isGreaterThan(width / 2);
    assertThat(
            browser.number(
                "10 * Math.min(...[...document.querySelectorAll('.station.leaked')]"
                    + ".map(e => e.getBoundingClientRect().height))"))
        .as("tenths of a pixel")
        .isGreaterThanOrEqualTo(29);
    assertThat(browser.texts(".sankey text"))
        .contains("Pooled direct", "Errors.reject:88", "Unpooled wrapped heap")
        .noneMatch(name -> name.startsWith("…"));
    browser.screenshot("flows-in-view-" + width).size(1280, 900);
  }

  @Test
  void itSaysWhoHoldsTheMemory() throws IOException {
    open(Flows.pinned());

    assertThat(browser.text(".memory-lead"))
        .isEqualTo(
            "40 buffers of Session.keep:31 (640.0 KiB) hold 64.0 MiB of direct memory in 16"
                + " chunks, 60.0 MiB of it alone; their release gives back at least 56.0 MiB.");
    assertThat(browser.texts(".memory .vbody .vcell:first-child:not(.direct *)"))
        .containsExactly("Session.keep:31", "Cache.put:7");
    assertThat(browser.texts(".direct .vbody .vcell:first-child"))
        .containsExactly("Cache.load:31", "Codec.copy:9");
    assertThat(browser.text(".memory .vbody .vrow"))
        .isEqualTo("Session.keep:31\n40\n640.0 KiB\n16\n64.0 MiB\n80.0 %\n60.0 MiB\n56.0 MiB");
    assertThat(browser.texts(".pool:not(.direct *) p"))
        .containsExactly(
            "PooledByteBufAllocator, direct: 80.0 MiB = held by buffers 64.0 MiB + idle 4.0 MiB"
                + " + not located 12.0 MiB",
            "Held: 672.0 KiB of live buffers, 63.3 MiB free, 0 B other");
    assertThat(browser.attributes(".chunk", "aria-label"))
        .hasSize(16)
        .startsWith("4.0 MiB: 2 buffers of Session.keep:31 take 32.0 KiB, 4.0 MiB free, 0 B other")
        .last()
        .asString()
        .startsWith("4.0 MiB: 12 buffers of several paths take 192.0 KiB");
    assertThat(browser.text(".memory-unexplained"))
        .isEqualTo("Not explained: AdaptiveByteBufAllocator: no field magazines");
    browser.screenshot("memory").assertAccessible();
    browser.click(".memory .vbody .vrow");
    assertThat(browser.text("dialog h2")).isEqualTo("Session.keep:31");
    browser.press(Keys.ESCAPE).press("/").press("cache");
    browser.awaitText(".memory .table-summary", "1 of 2 holders");
    browser.assertQuiet();
  }

  /** In each table, whatever its width; the head of a sorted column has an arrow too. */
  @ParameterizedTest
  @ValueSource(ints = {500, 1_000, 1_280, 1_440, 2_560})
  void noFigureAndNoHeadIsCut(int width) throws IOException {
    browser.size(width, 900);
    open(Flows.pinnedWithItsPeak());
    assertThat(browser.texts(".vtable")).hasSize(4);
    browser.run("document.querySelectorAll('.vhead button').forEach(head => head.click())");
    assertThat(browser.run(CUT)).asString().as("cut at %d", width).isEmpty();
    browser.size(1_280, 900);
  }

  @Test
  void aPageWithoutPoolsSaysNothingOfThem() throws IOException {
    open(Flows.service());
    assertThat(browser.texts(".memory")).isEmpty();
  }

  @Test
  void suspectsHaveTheirReasonsAndTheCardIsNotGreen() throws IOException {
    open(Flows.suspect());

    assertThat(browser.text(".card.moderate"))
        .isEqualTo("Leaked\n0 B\n0 flows\n1 suspect: 7.5 KiB live");
    assertThat(browser.texts(".card.good")).isEmpty();
    assertThat(browser.texts(".suspects summary"))
        .containsExactly(
            "suspect\nShop.refuse:48\n7.5 KiB\n30 in, 0 out · siblings release in Shop.receipt:53"
                + " · oldest 1 min 0 s · half of these are older than 30.0 s;"
                + " no release of others was sampled");
    browser.focus(".suspects summary").press(Keys.ENTER);
    assertThat(browser.texts(".suspects .hops .last"))
        .containsExactly("3 1-2 com.example.app.Shop.refuse:48live here");
    browser.assertAccessible();
    browser.screenshot("suspects");
    browser.press("/").press("nothing");
    browser.awaitText(".table-summary", "0 of 2 paths");
    assertThat(browser.texts(".suspects summary")).isEmpty();
  }

  @Test
  void whatIsLiveIsToldAsPeopleCountIt() throws IOException {
    open(Flows.requests());
    String sentence = "Live now: a FullHttpRequest each, 60 buffers in all (18 of 18 looks).";

    browser.focus(".suspects summary").press(Keys.ENTER);
    assertThat(browser.texts(".suspects .evidence")).containsExactly(sentence);
    browser.focus(".vtable").press(Keys.ENTER);
    assertThat(browser.texts("dialog .evidence")).containsExactly(sentence);
    browser.screenshot("requests");
    browser.assertQuiet();
  }

  @Test
  void aSearchKeepsTheSuspectsThatItFinds() throws IOException {
    open(Flows.suspectsBesideALeak());
    assertThat(browser.texts(".suspects .leak-place"))
        .containsExactly("Shop.refuse:48", "Shop.park:61");
    browser.press("/").press("park");
    browser.awaitText(".table-summary", "1 of 3 paths");
    assertThat(browser.texts(".suspects .leak-place")).containsExactly("Shop.park:61");
    browser.focus(".suspects summary").press(Keys.ENTER);
    assertThat(browser.text(".suspects .hops .last")).contains("Shop.park:61");
    assertThat(browser.text(".suspects .fates")).contains("Live now\n41 flows, 1.3 KiB");
  }

  @Test
  void theFirstCardIsGreenOnlyWhereNothingIsOpen() throws IOException {
    open(Flows.clean());
    assertThat(browser.text(".card.good")).isEqualTo("Leaked\n0 B\n0 flows\nno leak was found");
    open(Flows.undecided());
    assertThat(browser.text(".card.moderate"))
        .isEqualTo("Leaked\n0 B\n0 flows\n5 undecided: lost or still held");
    browser.screenshot("undecided").assertAccessible();
    assertThat(browser.text(".warnings")).contains("5 of the live ones are undecided");
    open(Flows.undecidedYet());
    assertThat(browser.texts(".card.good, .card.moderate")).isEmpty();
    assertThat(browser.text(".card")).endsWith("5 undecided: lost or still held");
    open(Flows.stopped());
    assertThat(browser.text(".card.moderate"))
        .isEqualTo("Leaked\n0 B\n0 flows\nnew buffers are not followed");
    open(Flows.suspectsBesideALeak());
    assertThat(browser.text(".card.critical"))
        .isEqualTo("Leaked\n96 B\n3 flows\ncritical: 96 B of direct memory");
    assertThat(browser.text(".card.live")).contains("2 suspects: 8.8 KiB live");
    open(Flows.empty());
    assertThat(browser.text(".card")).isEqualTo("Leaked\n0 B\n0 flows\nnothing was allocated");
    assertThat(browser.texts(".card.good")).isEmpty();
  }

  @Test
  void whatIsInTransitIsNoPath() throws IOException {
    String note = "In transit: alive, but on no path that is known";
    open(Flows.inTransit());

    assertThat(leaves()).contains("in transit");
    assertThat(browser.attributes(".vbody .vcell:first-child", "title"))
        .anyMatch(title -> title.startsWith(note));
    assertThat(label("in transit"))
        .startsWith("in transit: 1.3 KiB, 65.0 % of all live, reference count 1-2. " + note);
    assertThat(browser.texts(".stream-ends button"))
        .startsWith("in transit: 1.3 KiB live, 41.9 % of all");
    browser.clickText(".stream-ends button", "in transit: 1.3 KiB live, 41.9 % of all");
    assertThat(browser.text("dialog h2")).isEqualTo("in transit");
    assertThat(browser.text("dialog .path-title")).startsWith(note);
    assertThat(browser.texts("dialog .hops")).isEmpty();
    browser.screenshot("in-transit").assertAccessible();
    browser.press(Keys.ESCAPE);
    assertThat(browser.text("body")).doesNotContain("(in transit)");
    browser.press("/").press("transit");
    browser.awaitText(".table-summary", "1 of 2 paths");
    browser.assertQuiet();
  }

  @Test
  void manyLeaksComeByPlace() throws IOException {
    open(Flows.many(2_000));

    assertThat(browser.texts(".leak-tools [aria-pressed=true]")).containsExactly("Last hop");
    browser.clickText(".leak-tools button", "Allocator");
    assertThat(browser.text(".leaks-summary")).startsWith("1 place. ");
    assertThat(browser.texts("section > .leaks > li > details > summary .leak-place"))
        .containsExactly("PooledByteBufAllocator.directBuffer");
    assertThat(browser.texts(".leaks .leaks > li")).hasSize(5);
    browser.clickText(".leaks-below > button", browser.text(".leaks-below > button"));
    assertThat(browser.texts(".leaks .leaks > li").size()).isGreaterThan(5);
    browser.focus(".leaks .leaks summary").press(Keys.ENTER);
    assertThat(browser.texts(".leaks .leaks .hops")).hasSize(1);
    browser.assertAccessible();
    browser.back();
    assertThat(browser.texts(".leak-tools [aria-pressed=true]")).containsExactly("Last hop");
    browser.screenshot("leaks-by-place");
  }

  @Test
  void misusesAreRankedAndOpenToBothPaths() throws IOException {
    open(Flows.misused());

    assertThat(browser.text(".warnings li"))
        .isEqualTo("1,203 uses of buffers that were released already, ranked below.");
    assertThat(browser.texts(".misuses summary"))
        .containsExactly(
            "double release\nServer.close:77\n1,200 ×\none path: the release",
            "use after release\nCache.get:9\n3 ×\ntwo paths: the release, and the life before it");
    browser.focus(".misuses li:nth-child(2) summary").press(Keys.ENTER);
    assertThat(browser.texts(".misuses .path-title"))
        .containsExactly(
            "Use after release in com.example.app.Cache.get:9, 3 times. The release came first on",
            "If nothing is wrong there, somebody on the path of the same object's life before"
                + " released it twice");
    assertThat(browser.texts(".misuses .hops tbody tr"))
        .containsExactly(
            "1 1-2 io.netty.buffer.PooledByteBufAllocator.directBuffer",
            "2 1-2 com.example.app.Cache.put:7",
            "3 0 io.netty.buffer.ByteBuf.releasereleased here",
            "1 1-2 io.netty.buffer.PooledByteBufAllocator.directBuffer",
            "2 1-2 com.example.app.Server.channelRead:31",
            "3 0 io.netty.buffer.ByteBuf.releasereleased here");
    browser.press("/").press("dao");
    browser.awaitText("[aria-labelledby=misuses-title] .leaks-summary", "0 of 2 match the search.");
    browser.press(Keys.BACK_SPACE, Keys.BACK_SPACE, Keys.BACK_SPACE).press("close");
    browser.awaitText("[aria-labelledby=misuses-title] .leaks-summary", "1 of 2 match the search.");
    browser.assertQuiet();
  }

  @Test
  void resourcesAreNoMemory() throws IOException {
    open(Flows.misused());

    assertThat(browser.texts(".card").subList(0, 2))
        .containsExactly(
            "Leaked\n3\nflows\nmoderate: 3 resources not closed",
            "Live\n512 B\n3 flows\n512 B direct, 0 B heap\n1 resource open\noldest 1.0 s");
    assertThat(browser.text(".leaks summary"))
        .isEqualTo("resource\nDao.query:38\n3 ×\njava.sql.Connection not closed · since 3 min 0 s");
    assertThat(browser.texts(".leaks .fates div"))
        .startsWith("Resource\njava.sql.Connection", "Leaked\n3")
        .contains("Open now\n1", "Rate\n1.0 flow/min");
    assertThat(browser.texts(".vbody .vrow .vcell:nth-child(2)"))
        .containsExactlyInAnyOrder("Pooled direct", "Pooled direct", "Connection.open");
  }

  @ParameterizedTest
  @CsvSource({"light, 1280", "dark, 1280", "light, 375", "dark, 375"})
  void misusesCanBeReadInEveryLightAndWidth(String scheme, int width) throws IOException {
    browser.scheme(scheme).size(width, 900);
    open(Flows.misused());
    browser.focus(".misuses li:nth-child(2) summary").press(Keys.ENTER);

    browser.assertNoSidewaysScroll();
    browser.assertAccessible();
    browser.screenshotOfAll("misuses-" + scheme + "-" + width, width);
    browser.scheme("light").size(1280, 900);
  }

  @ParameterizedTest
  @CsvSource({"light, 1280, 900", "dark, 1280, 900", "light, 375, 812", "dark, 375, 812"})
  void itCanBeReadInEveryLightAndWidth(String scheme, int width, int height) throws IOException {
    browser.scheme(scheme).size(width, height);
    open(Flows.service());

    browser.assertNoSidewaysScroll();
    browser.assertAccessible();
    browser.screenshotOfAll("flows-" + scheme + "-" + width, width);
    browser.scheme("light").size(1280, 900);
  }

  @Test
  void theThemeCanBeChosen() throws IOException {
    open(Flows.service());

    browser.clickText("button", "Theme: auto").clickText("button", "Theme: light");
    assertThat(browser.run("return getComputedStyle(document.body).backgroundColor"))
        .isEqualTo("rgb(15, 19, 24)");
    browser.clickText("button", "Theme: dark");
    assertThat(browser.run("return getComputedStyle(document.body).backgroundColor"))
        .isEqualTo("rgb(246, 247, 249)");
  }

  @Test
  void printShowsEveryLeakOpen() throws IOException {
    open(Flows.service());
    browser.print(true).settle();

    assertThat(browser.texts(".leaks .hops tbody tr")).hasSize(6).doesNotContain("");
    assertThat(browser.text(".search")).isEmpty();
    assertThat(leaves()).hasSize(4);
    browser.size(900, 1_600).screenshot("flows-print").size(1280, 900);
  }

  @Test
  void printShowsEveryMisuseOpen() throws IOException {
    open(Flows.misused());
    browser.print(true).settle();

    assertThat(browser.texts(".misuses .hops tbody tr")).hasSize(9).doesNotContain("");
  }

  @Test
  void namesAreOnlyEverText() throws IOException {
    open(Flows.hostile());

    assertThat(browser.text(".leaks .hops tbody tr:last-child"))
        .contains("</script><img/src=x/onerror=");
    assertThat(browser.run("return document.title")).isEqualTo("Buftrail flows");
    assertThat(browser.number("document.images.length")).isZero();
    browser.assertQuiet();
  }

  @Test
  void anEmptySnapshotSaysSo() throws IOException {
    open(Flows.empty());

    assertThat(browser.text(".leaks-summary")).startsWith("No leak was found");
    assertThat(browser.text(".table-summary")).isEqualTo("0 paths");
    browser.assertQuiet();
  }
}
