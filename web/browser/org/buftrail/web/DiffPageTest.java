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
import org.buftrail.profile.diff.ProfileDiff;
import org.buftrail.profile.html.DiffHtml;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@TestInstance(TestInstance.Lifecycle.PER_CLASS)
final class DiffPageTest {
  private static final String FRAME = "[role=treeitem]";

  private final Browser browser = new Browser();
  private Path page = Path.of("");

  @BeforeAll
  void makePage(@TempDir Path directory) throws IOException {
    Profiles base =
        profiles(new String[] {"run", "parse"}, 600L, new String[] {"run", "copy"}, 400L);
    Profiles now =
        profiles(new String[] {"run", "parse"}, 900L, new String[] {"run", "cache"}, 300L);
    base.resource().put("service.name", "orders");
    ProfileDiff diff = ProfileDiff.of(List.of(base), List.of(now), ProfileDiff.Scale.NONE, false);
    page = directory.resolve("diff.html");
    try (Writer out = Files.newBufferedWriter(page)) {
      DiffHtml.write(diff, "monday.jfr", "tuesday.jfr", out);
    }
  }

  @AfterAll
  void close() {
    browser.close();
  }

  private static Profiles profiles(Object... stacksAndValues) {
    Dictionary dictionary = new Dictionary();
    Samples samples = Samples.summed(1);
    for (int i = 0; i < stacksAndValues.length; i += 2) {
      String[] rootFirst = (String[]) stacksAndValues[i];
      int[] locations = new int[rootFirst.length];
      for (int k = 0; k < locations.length; k++) {
        String name = "com.example.Main." + rootFirst[locations.length - 1 - k];
        int function = dictionary.functions().intern(name);
        int type = dictionary.frameType(name.endsWith("copy") ? "native" : "jvm");
        locations[k] = dictionary.locations().intern(function, 0, type);
      }
      int stack = dictionary.stacks().intern(locations, 0, locations.length);
      samples.add(stack, 0, 0, (Long) stacksAndValues[i + 1]);
    }
    return new Profiles(dictionary)
        .add(new Profile("cpu", ValueType.of("samples", "count"), samples, 0));
  }

  @Test
  void whatAppearedAndWhatVanishedIsThere() {
    browser.open(page);
    assertThat(browser.texts(".facts dd")).containsExactly("monday.jfr: orders", "tuesday.jfr");
    assertThat(browser.text(".profile-total"))
        .isEqualTo("1,000 before, 1,200 now: +200 (20.0 %); not scaled; sampling error 47");
    assertThat(browser.attributes(FRAME, "aria-label"))
        .contains(
            "com.example.Main.parse: 600 before, 900 now: +300 (50.0 %)",
            "com.example.Main.copy: 400 before, 0 now: −400 (gone)",
            "com.example.Main.cache: 0 before, 300 now: +300 (new)");
    browser.clickText(".controls button", "New");
    assertThat(frames()).contains("com.example.Main.cache").doesNotContain("com.example.Main.copy");
    browser.clickText(".controls button", "Base");
    assertThat(frames()).contains("com.example.Main.copy").doesNotContain("com.example.Main.cache");
    browser.assertQuiet();
  }

  /** Few samples more or less, over twice the time. */
  @Test
  void whatMayBeChanceIsGreyAndLeftOut(@TempDir Path directory) throws IOException {
    Profiles base =
        profiles(new String[] {"run", "parse"}, 60L, new String[] {"run", "copy"}, 400L);
    Profiles now =
        profiles(new String[] {"run", "parse"}, 124L, new String[] {"run", "copy"}, 400L);
    base.profiles().get(0).range(1, 1_000);
    now.profiles().get(0).range(1, 2_000);
    Path file = directory.resolve("chance.html");
    ProfileDiff diff = ProfileDiff.of(List.of(base), List.of(now), ProfileDiff.Scale.AUTO, false);
    try (Writer out = Files.newBufferedWriter(file)) {
      DiffHtml.write(diff, "a", "b", out);
    }
    browser.open(file);
    assertThat(browser.attributes(FRAME, "aria-label"))
        .contains(
            "com.example.Main.parse: 60 × 2.00 = 120 before, 124 now: +4 (3.3 %, within the sampling"
                + " error)",
            "com.example.Main.copy: 400 × 2.00 = 800 before, 400 now: −400 (−50.0 %)");
    assertThat(browser.texts(".vbody .vrow"))
        .containsExactly(
            "com.example.Main.copy\n400\n800\n400\n−400",
            "com.example.Main.run\n460\n920\n524\n−396");
    assertThat(browser.texts(".flame-note"))
        .contains("1 function left out: within the sampling error.");
    browser.assertQuiet();
  }

  @Test
  void framesHaveTheColoursOfTheirTypes() {
    browser.open(page);
    browser.clickText(".controls button", "Frame type");
    assertThat(browser.texts("[aria-label=Colours] li"))
        .containsExactly("Java 81.8 %", "native 18.2 %");
    browser.assertQuiet();
  }

  @Test
  void whatGrewAndWhatShrankDifferWithoutColour() {
    for (String scheme : List.of("light", "dark")) {
      browser.scheme(scheme).open(page);
      double grew = luminance("--grew");
      double shrank = luminance("--shrank");
      double contrast = (Math.max(grew, shrank) + 0.05) / (Math.min(grew, shrank) + 0.05);
      assertThat(contrast).as(scheme).isGreaterThanOrEqualTo(3);
    }
    browser.scheme("light");
  }

  /** As the guidelines for web content define it. */
  private double luminance(String variable) {
    String hex =
        (String)
            browser.run(
                "return getComputedStyle(document.documentElement).getPropertyValue('"
                    + variable
                    + "').trim()");
    double[] weights = {0.2126, 0.7152, 0.0722};
    double sum = 0;
    for (int i = 0; i < weights.length; i++) {
      double part = Integer.parseInt(hex.substring(1 + 2 * i, 3 + 2 * i), 16) / 255.0;
      sum += weights[i] * (part <= 0.03928 ? part / 12.92 : Math.pow((part + 0.055) / 1.055, 2.4));
    }
    return sum;
  }

  private List<String> frames() {
    return browser.attributes(FRAME, "aria-label").stream()
        .map(label -> label.substring(0, label.indexOf(": ")))
        .toList();
  }

  @Test
  void theTableStandsByTheSizeOfTheChange() {
    browser.open(page);
    assertThat(browser.texts(".vbody .vrow"))
        .containsExactly(
            "com.example.Main.copy\n400\n0\n−400",
            "com.example.Main.parse\n600\n900\n+300",
            "com.example.Main.cache\n0\n300\n+300",
            "com.example.Main.run\n1,000\n1,200\n+200");
    browser.focus("#search").press("copy");
    browser.awaitText(".search-result", "1 match; through them −400 (gone)");
    assertThat(browser.texts(".vbody .vrow")).hasSize(1);
  }

  @ParameterizedTest
  @CsvSource({"light, 1280", "dark, 1280", "light, 375", "dark, 375"})
  void itCanBeReadInEveryLightAndWidth(String scheme, int width) {
    browser.scheme(scheme).size(width, 900).open(page);
    browser.assertNoSidewaysScroll();
    browser.assertAccessible();
    browser.screenshotOfAll("diff-" + scheme + "-" + width, width);
    browser.scheme("light").size(1280, 900);
  }
}
