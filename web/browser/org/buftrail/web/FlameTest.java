package org.buftrail.web;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.Writer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.buftrail.profile.Profile;
import org.buftrail.profile.Profiles;
import org.buftrail.profile.Samples;
import org.buftrail.profile.ValueType;
import org.buftrail.profile.dictionary.Dictionary;
import org.buftrail.profile.html.ProfileHtml;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.openqa.selenium.Keys;

/** What all flame graphs can do, on a page of profiles. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
final class FlameTest {
  private static final String FLAME = ".flame:not([hidden])";
  private static final String FRAME = FLAME + " [role=treeitem]";
  private static final int LEAVES = 5_000;

  private final Browser browser = new Browser();
  private Path page = Path.of("");
  private Path widePage = Path.of("");

  @BeforeAll
  void makePages(@TempDir Path directory) throws IOException {
    page = directory.resolve("profile.html");
    Profiles calls = new Profiles(new Dictionary());
    Samples samples = Samples.summed(1);
    add(
        calls,
        samples,
        50,
        "app.Main.run",
        "app.Order.read",
        "app.Json.parse",
        "java.util.Map.get");
    add(calls, samples, 30, "app.Main.run", "app.Order.write", "app.Json.parse", "app.Json.parse");
    add(calls, samples, 20, "app.Main.run", "app.Order.write", "libc.so.6.send");
    write(calls, samples, page);
    widePage = directory.resolve("wide.html");
    Profiles wide = new Profiles(new Dictionary());
    Samples many = Samples.summed(1);
    for (int i = 0; i < LEAVES; i++) {
      add(wide, many, 1 + i % 3, "app.Main.run", "app.Leaf" + i + ".run");
    }
    write(wide, many, widePage);
  }

  @AfterAll
  void close() {
    browser.close();
  }

  private static void add(Profiles profiles, Samples samples, long value, String... rootFirst) {
    Dictionary dictionary = profiles.dictionary();
    int[] locations = new int[rootFirst.length];
    for (int i = 0; i < locations.length; i++) {
      String name = rootFirst[locations.length - 1 - i];
      String type = name.startsWith("libc") ? "native" : "jvm";
      locations[i] =
          dictionary
              .locations()
              .intern(dictionary.functions().intern(name), 0, dictionary.frameType(type));
    }
    samples.add(dictionary.stacks().intern(locations, 0, locations.length), 0, 0, value);
  }

  private static void write(Profiles profiles, Samples samples, Path to) throws IOException {
    profiles.add(new Profile("cpu", ValueType.of("samples", "count"), samples, 0));
    try (Writer out = Files.newBufferedWriter(to)) {
      ProfileHtml.write(profiles, out);
    }
  }

  private void open() {
    browser.leave().open(page);
  }

  /** Name and value of the frames of a graph that have room for a name. */
  private List<String> frames(String graph) {
    return browser.attributes(graph + " [role=treeitem]", "aria-label").stream()
        .map(label -> label.substring(0, label.indexOf(',')))
        .toList();
  }

  private static String frame(String name) {
    return FRAME + "[aria-label^='" + name + ":']";
  }

  @Test
  void aMapShowsWhereAZoomIs() {
    open();
    assertThat(browser.run("return document.querySelector('.minimap').hidden")).isEqualTo(true);
    browser.clickAt(frame("app.Order.write"));
    browser.await(".minimap:not([hidden])");
    assertThat(
            browser.number(
                "100 * document.querySelector('.minimap-part').clientWidth / document.querySelector('.minimap').clientWidth"))
        .isBetween(45L, 55L);
    // The upper left of it is all of it, and the row below main.
    browser.run(
        "const map = document.querySelector('.minimap'), {left, top} = map.getBoundingClientRect();"
            + "map.dispatchEvent(new MouseEvent('click', {clientX: left + 10, clientY: top + 8,"
            + " bubbles: true}))");
    assertThat(browser.text(".flame-crumbs")).startsWith("Zoomed to Order.read");
    browser.press("0");
    assertThat(browser.run("return document.querySelector('.minimap').hidden")).isEqualTo(true);
    browser.assertQuiet();
  }

  @Test
  void aFrameSaysWhatItsFunctionHasElsewhere() {
    open();
    assertThat(browser.attributes(FRAME, "aria-label"))
        .contains("app.Json.parse: 50, 50.0 % of all; in all its frames 80, 80.0 % of all");
  }

  @Test
  void thePointerHasATipAndTheLineIsAlwaysInView() {
    open();
    browser.pointAt(frame("app.Order.read"));
    String sentence = "app.Order.read: 50, 50.0 % of all";
    assertThat(browser.text(FLAME + " .flame-tip")).isEqualTo(sentence);
    assertThat(browser.text(".flame-detail")).isEqualTo(sentence);
    assertThat(
            browser.number(
                "Math.round(innerHeight -"
                    + " document.querySelector('.flame-bar').getBoundingClientRect().bottom)"))
        .isNotNegative();
    browser.pointAt("h1");
    assertThat(browser.text(FLAME + " .flame-tip")).isEmpty();
  }

  @Test
  void theWheelZoomsWithControlAndOneKeyShowsAll() {
    open();
    turnWheel(frame("app.Json.parse"), -100, false);
    assertThat(browser.text(".flame-crumbs")).as("without Ctrl it scrolls").isEmpty();
    turnWheel(frame("java.util.Map.get"), -100, true);
    assertThat(browser.text(".flame-crumbs")).startsWith("Zoomed to Order.read");
    browser.press("0");
    assertThat(browser.text(".flame-crumbs")).isEmpty();
    browser.clickAt(frame("libc.so.6.send"));
    turnWheel(frame("libc.so.6.send"), 100, true);
    assertThat(browser.text(".flame-crumbs")).startsWith("Zoomed to Order.write");
    turnWheel(frame("libc.so.6.send"), 100, true);
    turnWheel(frame("libc.so.6.send"), 100, true);
    assertThat(frames(FLAME)).contains("app.Order.read: 50");
  }

  private void turnWheel(String at, int delta, boolean control) {
    browser.run(
        "const { left, top, width } ="
            + " document.querySelector(arguments[0]).getBoundingClientRect();"
            + "document.querySelector(arguments[1]).dispatchEvent(new WheelEvent('wheel',"
            + " { deltaY: arguments[2], ctrlKey: arguments[3], cancelable: true,"
            + " clientX: left + width / 2, clientY: top + 5 }));",
        at,
        FLAME,
        delta,
        control);
    browser.settle();
  }

  @Test
  void aQuestionMarkListsTheKeys() {
    open();
    browser.press("?");
    assertThat(browser.text("dialog.help h2")).isEqualTo("Keys and pointer");
    assertThat(browser.texts("dialog.help dt")).contains("/", "0", "Escape");
    browser.assertAccessible();
    browser.press(Keys.ESCAPE);
    browser.press("/").press("?");
    assertThat(browser.text("dialog.help h2")).as("typed into the search").isEmpty();
  }

  @Test
  void aFoldOpensUntilEveryFrameIsDrawn() {
    browser.open(widePage);
    String fold = FRAME + "[aria-label*='narrow frame']";
    assertThat(browser.attributes(fold, "aria-label").get(0)).startsWith("5,000 narrow frames: ");
    browser.clickAt(fold);
    assertThat(browser.text(".flame-crumbs"))
        .startsWith("Zoomed to 5,000 narrow frames below Main.run");
    browser.focus(FLAME).press(Keys.ARROW_DOWN);
    assertThat(browser.text(".flame-detail")).startsWith("157 narrow frames: ");
    browser.press(Keys.ENTER).press(Keys.ARROW_DOWN);
    assertThat(browser.text(".flame-detail")).startsWith("app.Leaf2.run: 3, ");
    browser.press(Keys.ESCAPE);
    assertThat(browser.text(".flame-crumbs")).startsWith("Zoomed to Main.run");
  }

  @Test
  void stacksCanBeSeenFromTheBottom() {
    open();
    browser.clickText(".flame-tools button", "Bottom up");
    assertThat(frames(FLAME))
        .containsSubsequence(
            "all samples: 100",
            "java.util.Map.get: 50",
            "app.Json.parse: 30",
            "libc.so.6.send: 20",
            "app.Json.parse: 50")
        .contains("app.Order.read: 50", "app.Order.write: 20");
  }

  @Test
  void aFunctionHasItsCallersAndCallees() {
    open();
    browser.menuAt(frame("app.Json.parse"));
    assertThat(browser.texts(".menu button"))
        .containsExactly(
            "Zoom to it",
            "Callers and callees",
            "Only stacks through it",
            "Hide it",
            "Copy its name");
    browser.screenshot("flame-menu").clickText(".menu button", "Callers and callees");
    assertThat(frames("[aria-label=Callers]"))
        .contains("app.Order.read: 50", "app.Order.write: 30", "app.Main.run: 50");
    assertThat(frames("[aria-label='Flame graph']"))
        .containsExactly("app.Json.parse: 80", "java.util.Map.get: 50", "app.Json.parse: 30");
    browser.assertAccessible();
    browser.screenshotOfAll("flame-calls", 1280).size(1280, 900);
    browser.clickText(".chip", "Calls of Json.parse ×");
    assertThat(frames("[aria-label='Flame graph']")).contains("app.Main.run: 100");
  }

  @Test
  void framesAreHiddenMergedAndLeftAlone() {
    open();
    browser.clickText(".flame-tools button", "Merge recursion");
    assertThat(frames(FLAME).stream().filter(frame -> frame.startsWith("app.Json.parse")))
        .containsExactly("app.Json.parse: 50", "app.Json.parse: 30");
    browser.menuAt(frame("app.Json.parse")).clickText(".menu button", "Hide it");
    assertThat(frames(FLAME)).noneMatch(frame -> frame.startsWith("app.Json.parse"));
    browser.menuAt(frame("app.Order.read")).clickText(".menu button", "Only stacks through it");
    assertThat(frames(FLAME))
        .containsExactly(
            "all samples: 50", "app.Main.run: 50", "app.Order.read: 50", "java.util.Map.get: 50");
    assertThat(browser.texts(".chip"))
        .containsExactly("Only through Order.read ×", "Hidden: Json.parse ×");
    browser.assertAccessible();
  }

  @Test
  void theAddressKeepsTheViewAndBackUndoesASeriesOfSteps() {
    open();
    browser.clickAt(frame("app.Order.write"));
    browser.clickText(".flame-tools button", "Bottom up");
    browser.clickAt(frame("libc.so.6.send"));
    Object address = browser.run("return location.href");
    assertThat(browser.text(".flame-crumbs")).isEqualTo("Zoomed to libc.so.6.send Show all");
    browser.back();
    assertThat(browser.text(".flame-crumbs")).isEmpty();
    assertThat(frames(FLAME)).contains("java.util.Map.get: 50");
    browser.back();
    assertThat(browser.text(".flame-crumbs")).isEqualTo("Zoomed to Order.write Show all");
    browser.back();
    assertThat(frames(FLAME)).contains("app.Order.read: 50");
    browser.leave().open(String.valueOf(address));
    assertThat(browser.text(".flame-crumbs")).isEqualTo("Zoomed to libc.so.6.send Show all");
  }

  @Test
  void aRegularExpressionIsSearchedMatchByMatch() {
    open();
    browser.press("/").press("^app.*(read|write)$");
    browser.awaitText(".search-result", "2 matches; through them 100, 100.0 %");
    browser.press(Keys.ENTER);
    assertThat(browser.text(".search-at")).isEqualTo("1 of 2");
    assertThat(browser.text(".flame-detail")).startsWith("app.Order.read: 50");
    browser.press(Keys.ENTER);
    assertThat(browser.text(".flame-detail")).startsWith("app.Order.write: 50");
    browser.click("[aria-label='Previous match']");
    assertThat(browser.text(".search-at")).isEqualTo("1 of 2");
    browser.screenshot("flame-search");
  }

  @Test
  void aMatchThatIsTooNarrowIsZoomedTo() {
    browser.open(widePage);
    browser.press("/").press("Leaf4321").press(Keys.ENTER);
    assertThat(browser.text(".search-at")).isEqualTo("1 of 1");
    assertThat(browser.text(".flame-detail")).startsWith("app.Leaf4321.run: ");
  }

  @Test
  void coloursHaveALegend() {
    open();
    assertThat(browser.texts(".key li"))
        .containsExactly("java.util 50.0 %", "app 30.0 %", "native 20.0 %");
    browser.clickText(".flame-tools button", "Frame type");
    assertThat(browser.texts(".key li")).containsExactly("Java 80.0 %", "native 20.0 %");
    browser.assertAccessible();
  }

  @Test
  void theKeyboardReachesTheMenu() {
    open();
    browser.focus(FLAME).press(Keys.ARROW_DOWN);
    browser.run(
        "document.querySelector('"
            + FLAME
            + "')"
            + ".dispatchEvent(new MouseEvent('contextmenu', {bubbles: true, cancelable: true}))");
    browser.press(Keys.ARROW_DOWN).press(Keys.ENTER);
    assertThat(browser.text(".chip")).isEqualTo("Calls of Main.run ×");
  }

  @Test
  void aRowOfFunctionsShowsItsCalls() {
    open();
    browser.focus(".vtable").press(Keys.ENTER);
    assertThat(browser.text(".chip")).isEqualTo("Calls of Map.get ×");
  }

  @Test
  void paperHasAGraphOfItsOwn() {
    open();
    browser.pdf("profile-print").print(true).settle();
    assertThat(browser.number("document.querySelectorAll('.flame-paper canvas').length"))
        .isEqualTo(1);
    assertThat(
            browser.number(
                "document.querySelector('.flame:not([hidden]) .flame-paper canvas').clientWidth"
                    + " - document.querySelector('main').clientWidth"))
        .as("as wide as the page at most")
        .isNotPositive();
    browser.print(false);
    assertThat(browser.number("document.querySelectorAll('.flame-paper canvas').length")).isZero();
  }

  @Test
  void theLegendOnPaperHasTheColoursOfPaper() {
    String colours =
        "return [...document.querySelectorAll('.key .swatch')].map(s => s.style.background)";
    open();
    browser.run(
        "document.documentElement.dataset.theme = 'dark'; dispatchEvent(new Event('themechange'))");
    Object onScreen = browser.run(colours);
    browser.print(true).settle();
    assertThat(browser.run(colours).toString()).isNotEqualTo(onScreen.toString());
    browser.print(false);
    assertThat(browser.run(colours)).isEqualTo(onScreen);
  }

  @ParameterizedTest
  @CsvSource({"light, 1440", "dark, 1440", "light, 1024", "dark, 375", "light, 375"})
  void itCanBeReadInEveryLightAndWidth(String scheme, int width) {
    browser.scheme(scheme).size(width, 900);
    open();
    browser.assertNoSidewaysScroll();
    browser.assertAccessible();
    browser.screenshotOfAll("flame-" + scheme + "-" + width, width);
    browser.scheme("light").size(1280, 900);
  }
}
