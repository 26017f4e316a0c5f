package org.buftrail.web;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.StringWriter;
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
import org.buftrail.profile.html.ProfileHtml.View;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The heatmap of a recording's page, and what filters all of its views. */
final class HeatmapPageTest {
  private static final long START = 1_767_225_600_000_000_000L; // 2026-01-01
  private static final long MILLI = 1_000_000;

  @Test
  void aColumnThatIsClickedFiltersTheOtherViews(@TempDir Path dir) throws IOException {
    try (Browser browser = new Browser()) {
      browser.open(write(busySeconds(), View.HEATMAP, dir));
      assertThat(browser.text(".profile-total")).isEqualTo("220 samples in all");
      assertThat(browser.text(".heat-detail"))
          .isEqualTo(
              "A column is 1 s, a cell 20 ms with 20 samples at most."
                  + " Drag to choose a range, or click a column.");

      point(browser, "pointermove", 2, 25);
      assertThat(browser.run("return document.querySelector('.heat .flame-tip').textContent"))
          .isEqualTo("2.500 to 2.520 s: 20 samples. 00:00:02.500 UTC");
      click(browser, 2, 25);

      assertThat(browser.text(".profile-total")).isEqualTo("20 samples of 220, 9.1 %");
      assertThat(browser.texts(".vbody .vrow"))
          .containsExactly("com.example.Shop.burst\n20\n100.0 %\n20\n100.0 %");
      assertThat(browser.text(".filters .chip")).isEqualTo("Time 2 to 3 s ×");
      assertThat(address(browser)).isEqualTo("#time=2-3");
      browser.screenshot("heatmap-range").assertAccessible();
      assertThat(labels(browser))
          .contains(
              "all samples: 20, 100.0 % of what is shown, 9.1 % of all",
              "com.example.Shop.burst: 20, 100.0 % of what is shown, 9.1 % of all");
      assertThat(browser.attributes(".vbody .vcell:nth-child(3)", "title"))
          .containsExactly("100.0 % of what is shown, 9.1 % of all");

      browser.back();
      assertThat(browser.text(".profile-total")).isEqualTo("220 samples in all");
      browser.focus(".heat-plot").press("\uE014", "\uE006"); // right, enter
      assertThat(browser.text(".filters .chip")).isEqualTo("Time 3 to 4 s ×");
      browser.press("\uE00C"); // escape
      assertThat(browser.texts(".filters .chip")).isEmpty();
      browser.assertNoSidewaysScroll();
      browser.assertQuiet();
    }
  }

  @Test
  void sharesOfCallsAreOfTheCallsAndOfAll(@TempDir Path dir) throws IOException {
    try (Browser browser = new Browser()) {
      Path page = write(busySeconds(), View.FLAMES, dir);
      browser.open(page.toUri() + "#calls=com.example.Shop.write");
      assertThat(labels(browser))
          .contains("com.example.Shop.write: 20, 100.0 % of what is shown, 9.1 % of all");
      browser.leave().open(page.toUri() + "#calls=com.example.Shop.write&time=0-1");
      assertThat(labels(browser))
          .contains("com.example.Shop.write: 4, 100.0 % of what is shown, 1.8 % of all");
      browser.leave().open(page.toUri() + "#stacks=up");
      assertThat(labels(browser)).contains("com.example.Shop.read: 180, 81.8 % of all");
      browser.assertQuiet();
    }
  }

  private static List<String> labels(Browser browser) {
    return browser.attributes("[role=treeitem]", "aria-label");
  }

  @Test
  void aRangeIsDragged(@TempDir Path dir) throws IOException {
    try (Browser browser = new Browser()) {
      browser.open(write(busySeconds(), View.HEATMAP, dir));
      point(browser, "pointerdown", 0, 25);
      point(browser, "pointermove", 1, 1);
      point(browser, "pointerup", 1, 1);
      assertThat(browser.text(".filters .chip")).isEqualTo("Time 0.500 to 1.040 s ×");
      assertThat(browser.text(".profile-total")).isEqualTo("22 samples of 220, 10.0 %");
    }
  }

  @Test
  void threadsTimeAndSearchFilterTogetherAndStandInTheAddress(@TempDir Path dir)
      throws IOException {
    Path page = write(busySeconds(), View.FLAMES, dir);
    try (Browser browser = new Browser()) {
      browser.open(page);
      assertThat(browser.text(".thread-filter summary")).isEqualTo("Threads: all 3");
      browser.click(".thread-filter summary");
      assertThat(browser.texts(".thread-list label"))
          .containsExactly("worker-1\n100, 45.5 %", "worker-2\n100, 45.5 %", "burst\n20, 9.1 %");
      browser.focus(".thread-filter input[type=search]").press("^worker");
      assertThat(browser.texts(".thread-list label")).hasSize(2);
      browser.clickText(".thread-filter button", "Choose these");
      assertThat(browser.text(".filters .chip")).isEqualTo("Threads 2 threads ×");
      assertThat(browser.text(".profile-total")).isEqualTo("200 samples of 220, 90.9 %");
      browser.click(".thread-list input[value='worker-2']");
      assertThat(address(browser)).isEqualTo("#thread=worker-1");
      browser.focus("#search").press("write");
      browser.awaitText(".search-result", "1 match; through them 20, 20.0 % of what is shown");
      browser.clickText(".filters button", "Only stacks that match");
      assertThat(browser.text(".profile-total")).isEqualTo("20 samples of 220, 9.1 %");
      assertThat(browser.texts(".vbody .vrow")).hasSize(1);
      browser.screenshot("threads").assertAccessible();

      browser.leave().open(page.toUri() + "#time=0-1&thread=worker-1&q=write&match=only");
      assertThat(browser.text(".profile-total")).isEqualTo("4 samples of 220, 1.8 %");
      assertThat(browser.texts(".filters .chip"))
          .containsExactly("Time 0 to 1 s ×", "Threads worker-1 ×");
      browser.assertQuiet();
    }
  }

  @Test
  void aKindWithoutTimesSaysSo(@TempDir Path dir) throws IOException {
    try (Browser browser = new Browser()) {
      Path page = write(busySeconds(), View.HEATMAP, dir);
      browser.open(page.toUri() + "#profile=old&time=0-1");
      assertThat(browser.text(".filter-note"))
          .isEqualTo(
              "Samples of this kind have no times, threads or traces: all of them are shown.");
      assertThat(browser.text(".heat-detail")).isEqualTo("Samples of this kind have no times.");
      assertThat(browser.text(".profile-total")).isEqualTo("7 samples in all");
    }
  }

  @Test
  void itIsReadOnPhonesInTheDarkAndOnPaper(@TempDir Path dir) throws IOException {
    try (Browser browser = new Browser()) {
      browser.open(write(busySeconds(), View.HEATMAP, dir));
      browser.size(375, 812).settle().assertNoSidewaysScroll();
      browser.screenshot("heatmap-phone").assertAccessible();
      browser.size(1024, 768).scheme("dark").settle().screenshot("heatmap-dark").assertAccessible();
      browser.pdf("heatmap").assertQuiet();
    }
  }

  private static String address(Browser browser) {
    return String.valueOf(browser.run("return location.hash"));
  }

  private static void click(Browser browser, int column, int part) {
    point(browser, "pointerdown", column, part);
    point(browser, "pointerup", column, part);
  }

  /** At a cell: 52 px of labels stand before columns of 96 px, which have parts of 2.8 px. */
  private static void point(Browser browser, String type, int column, int part) {
    browser.run(
        "const plot = document.querySelector('.heat-plot');"
            + "const { left, top } = plot.getBoundingClientRect();"
            + "plot.setPointerCapture = () => {};"
            + "plot.dispatchEvent(new PointerEvent(arguments[0], { bubbles: true, button: 0,"
            + " clientX: left + arguments[1], clientY: top + arguments[2] }));",
        type,
        52 + 96 * column + 10,
        2.8 * part + 1);
    browser.settle();
  }

  /** A page with times and threads. */
  static String page() throws IOException {
    StringWriter page = new StringWriter();
    ProfileHtml.write(busySeconds(), View.HEATMAP, page);
    return page.toString();
  }

  private static Path write(Profiles profiles, View view, Path dir) throws IOException {
    Path page = dir.resolve("profile.html");
    try (Writer out = Files.newBufferedWriter(page)) {
      ProfileHtml.write(profiles, view, out);
    }
    return page;
  }

  /** Five seconds of two threads that are sampled each 50 ms, and a burst in the third second. */
  private static Profiles busySeconds() {
    Dictionary dictionary = new Dictionary();
    int read = stack(dictionary, "com.example.Shop.read");
    int write = stack(dictionary, "com.example.Shop.write");
    Samples cpu = Samples.observed(1);
    for (int i = 0; i < 100; i++) {
      // None in the third second.
      long time = START + 50 * MILLI * (i < 40 ? i : i + 20);
      cpu.observe(i % 5 == 0 ? write : read, thread(dictionary, "worker-1"), 0, time, 1);
      cpu.observe(read, thread(dictionary, "worker-2"), 0, time, 1);
    }
    for (int i = 0; i < 20; i++) {
      long time = START + 2_500 * MILLI + i;
      cpu.observe(
          stack(dictionary, "com.example.Shop.burst"), thread(dictionary, "burst"), 0, time, 1);
    }
    Samples old = Samples.summed(1);
    old.add(read, 0, 0, 7);
    Profiles profiles = new Profiles(dictionary);
    profiles.resource().put("service.name", "shop");
    profiles.add(new Profile("cpu", ValueType.of("samples", "count"), cpu, 0));
    profiles.add(new Profile("old", ValueType.of("samples", "count"), old, 0));
    return profiles;
  }

  private static int thread(Dictionary dictionary, String name) {
    return dictionary.attributeSets().intern(dictionary.attributes().intern("thread.name", name));
  }

  private static int stack(Dictionary dictionary, String name) {
    int function = dictionary.functions().intern(name);
    int location = dictionary.locations().intern(function, 0, dictionary.frameType("jvm"));
    return dictionary.stacks().intern(new int[] {location}, 0, 1);
  }
}
