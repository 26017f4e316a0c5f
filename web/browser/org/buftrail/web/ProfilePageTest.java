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
import org.buftrail.profile.html.PageLook;
import org.buftrail.profile.html.ProfileHtml;
import org.buftrail.report.FlowProfiles;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class ProfilePageTest {
  @Test
  void eachProfileHasItsFlameGraphAndFunctions(@TempDir Path dir) throws IOException {
    try (Browser browser = new Browser()) {
      browser.open(write(shop(), dir));

      assertThat(browser.text("h1")).isEqualTo("shop");
      assertThat(browser.texts(".kinds button")).containsExactly("cpu 10.0 s", "alloc 2.0 MiB");
      assertThat(browser.texts(".kind-name")).containsExactly("CPU", "Memory");
      assertThat(browser.text(".profile-total")).isEqualTo("10.0 s in all");
      assertThat(browser.texts(".vbody .vrow"))
          .containsExactly(
              "com.example.Parser.parse\n7.0 s\n70.0 %\n10.0 s\n100.0 %",
              "libc.so.6.read\n3.0 s\n30.0 %\n3.0 s\n30.0 %",
              "com.example.Main.run\n0 ns\n0.0 %\n10.0 s\n100.0 %");

      browser.click(".facts summary");
      assertThat(browser.texts(".facts dt")).contains("Service", "Host");
      browser.click(".kinds [data-value=alloc]");
      assertThat(browser.texts(".kinds button"))
          .containsExactly("cpu 10.0 s", "alloc 2.0 MiB", "Bytes", "Count");
      browser.clickText(".kinds button", "Count");
      assertThat(browser.text(".profile-total")).isEqualTo("5 objects in all");
      browser.clickText(".kinds button", "Bytes");
      assertThat(browser.text(".profile-total")).isEqualTo("2.0 MiB in all");
      assertThat(browser.texts(".vbody .vrow")).hasSize(2);
      browser.focus("#search").press("parser");
      browser.awaitText(".search-result", "1 match; through them 2.0 MiB, 100.0 %");
      assertThat(browser.texts(".vbody .vrow")).hasSize(1);
      browser.screenshot("profile").click(".kinds [data-value=cpu]");
      assertThat(browser.text(".search-result"))
          .isEqualTo("2 matches; through them 10.0 s, 100.0 %");
      browser.assertAccessible();
      browser.assertNoSidewaysScroll();
      browser.assertQuiet();
    }
  }

  @Test
  void heatmapGraphAndFunctionsStandInOneView(@TempDir Path dir) throws IOException {
    Path page = dir.resolve("workbench.html");
    Files.writeString(page, HeatmapPageTest.page());
    try (Browser browser = new Browser()) {
      for (int width : new int[] {1440, 2560}) {
        browser.size(width, 900).open(page);
        for (String part : List.of(".heat-plot", "[aria-label='Flame graph']", ".vbody .vrow")) {
          assertThat(isInView(browser, part)).as(part + " at " + width).isTrue();
        }
        assertThat(browser.texts(".functions .vrow").get(1)).startsWith("Shop.");
        assertThat(widthOf(browser, ".panels")).isGreaterThan(width - 60);
        browser.screenshot("workbench-" + width).assertNoSidewaysScroll();
      }
      browser.assertAccessible();
      browser.assertQuiet();
    }
  }

  private static boolean isInView(Browser browser, String part) {
    return Boolean.TRUE.equals(
        browser.run(
            "const { top, left, width } ="
                + " document.querySelector(arguments[0]).getBoundingClientRect();"
                + "return width > 0 && left >= 0 && left + width <= innerWidth"
                + " && top >= 0 && top + 40 < innerHeight;",
            part));
  }

  private static long widthOf(Browser browser, String part) {
    Object width =
        browser.run(
            "return Math.round(document.querySelector(arguments[0]).getBoundingClientRect().width)",
            part);
    return ((Number) width).longValue();
  }

  @Test
  void eachTraceCanBeChosen(@TempDir Path dir) throws IOException {
    String first = "0000000000000000000000000000000a";
    String second = "0000000000000000000000000000000b";
    Path page = write(traced(), dir);
    try (Browser browser = new Browser()) {
      browser.open(page);
      assertThat(browser.texts(".thread-filter summary")).containsExactly("Traces: all 3");
      browser.click(".thread-filter summary");
      assertThat(browser.texts(".thread-list label"))
          .containsExactly(
              "(no trace)\n70, 70.0 %", second + "\n20, 20.0 %", first + "\n10, 10.0 %");
      browser.click(".thread-list input[value='" + second + "']");
      assertThat(browser.text(".filters .chip")).isEqualTo("Traces " + second + " ×");
      assertThat(browser.text(".profile-total")).isEqualTo("20 samples of 100, 20.0 %");
      assertThat(browser.texts(".vbody .vrow")).hasSize(1);
      browser.screenshot("traces").assertAccessible();

      browser.leave().open(page.toUri() + "#trace=" + first);
      assertThat(browser.text(".profile-total")).isEqualTo("10 samples of 100, 10.0 %");
      browser.click(".filters .chip");
      assertThat(browser.text(".profile-total")).isEqualTo("100 samples in all");
      browser.assertQuiet();
    }
  }

  @Test
  void whatTheGraphDoesNotShowIsSaidBesideIt(@TempDir Path dir) throws IOException {
    Dictionary dictionary = new Dictionary();
    int run = frame(dictionary, "com.example.Main.run", 12, "jvm");
    int rare = frame(dictionary, "com.example.Main.rare", 40, "jvm");
    Samples cpu = Samples.summed(1);
    cpu.add(dictionary.stacks().intern(new int[] {run}, 0, 1), 0, 0, 24);
    cpu.add(dictionary.stacks().intern(new int[] {rare, run}, 0, 2), 0, 0, 1);
    cpu.add(0, 0, 0, 75);
    Samples gc = Samples.summed(1);
    gc.add(dictionary.stacks().intern(new int[] {run}, 0, 1), 0, 0, 3);
    Profiles profiles =
        new Profiles(dictionary)
            .add(new Profile("cpu", ValueType.of("samples", "count"), cpu, 0))
            .add(new Profile("gc", ValueType.of("pauses", "count"), gc, 0));
    Path page = dir.resolve("folded.html");
    try (Writer out = Files.newBufferedWriter(page)) {
      ProfileHtml.write(profiles, ProfileHtml.View.FLAMES, new PageLook("", "", 0.1), out);
    }
    try (Browser browser = new Browser()) {
      browser.open(page);
      assertThat(browser.text(".folded-note"))
          .isEqualTo(
              "Not shown: 1 frame too small to matter, whose values are part of their callers.");
      assertThat(browser.text(".profile-total"))
          .isEqualTo("100 samples in all; 75 samples without a stack, 75.0 %");
      browser.screenshot("folded").assertAccessible();
      browser.click(".kinds [data-value=gc]");
      assertThat(browser.text(".profile-total")).isEqualTo("3 samples in all");
      browser.open(write(traced(), dir));
      assertThat(browser.texts(".folded-note")).isEmpty();
      browser.assertQuiet();
    }
  }

  private static Profiles traced() {
    Dictionary dictionary = new Dictionary();
    int run = frame(dictionary, "com.example.Main.run", 12, "jvm");
    int serve = frame(dictionary, "com.example.Main.serve", 40, "jvm");
    int idle = dictionary.stacks().intern(new int[] {run}, 0, 1);
    int busy = dictionary.stacks().intern(new int[] {serve}, 0, 1);
    Samples cpu = Samples.summed(1);
    cpu.add(idle, 0, 0, 70);
    cpu.add(busy, 0, dictionary.links().intern(0, 0xa, 1), 7);
    cpu.add(busy, 0, dictionary.links().intern(0, 0xa, 2), 3);
    cpu.add(busy, 0, dictionary.links().intern(0, 0xb, 3), 20);
    return new Profiles(dictionary)
        .add(new Profile("cpu", ValueType.of("samples", "count"), cpu, 0));
  }

  @Test
  void flowsAsProfilesAndNoProfiles(@TempDir Path dir) throws IOException {
    try (Browser browser = new Browser()) {
      browser.open(write(FlowProfiles.of(Flows.service()), dir));
      assertThat(browser.attributes(".kinds button", "data-value"))
          .startsWith("live", "leaked", "allocated");
      assertThat(browser.texts(".kind-name")).isEmpty();
      browser.open(write(new Profiles(new Dictionary()), dir));
      assertThat(browser.text("main")).isEqualTo("There is no profile in this file.");
      browser.assertQuiet();
    }
  }

  private static Path write(Profiles profiles, Path dir) throws IOException {
    Path page = dir.resolve("profile.html");
    try (Writer out = Files.newBufferedWriter(page)) {
      ProfileHtml.write(profiles, out);
    }
    return page;
  }

  private static Profiles shop() {
    Dictionary dictionary = new Dictionary();
    int run = frame(dictionary, "com.example.Main.run", 12, "jvm");
    int parse = frame(dictionary, "com.example.Parser.parse", 40, "jvm");
    int again = frame(dictionary, "com.example.Parser.parse", 55, "jvm");
    int read = frame(dictionary, "libc.so.6.read", 0, "native");
    Samples cpu = Samples.summed(1);
    cpu.add(dictionary.stacks().intern(new int[] {again, parse, run}, 0, 3), 0, 0, 7_000_000_000L);
    cpu.add(dictionary.stacks().intern(new int[] {read, parse, run}, 0, 3), 0, 0, 3_000_000_000L);
    Samples alloc = Samples.summed(2);
    alloc.add(dictionary.stacks().intern(new int[] {parse, run}, 0, 2), 0, 0, 5, 2 << 20);
    Profiles profiles = new Profiles(dictionary);
    profiles.resource().put("service.name", "shop").put("host.name", "till-1");
    profiles.add(new Profile("cpu", ValueType.of("cpu", "nanoseconds"), cpu, 0));
    profiles.add(new Profile("alloc", ValueType.of("allocated_space", "bytes"), alloc, 1));
    profiles.add(new Profile("alloc", ValueType.of("allocated_objects", "count"), alloc, 0));
    return profiles;
  }

  private static int frame(Dictionary dictionary, String name, int line, String type) {
    int function = dictionary.functions().intern(name);
    return dictionary.locations().intern(function, line, dictionary.frameType(type));
  }
}
