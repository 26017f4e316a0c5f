package org.buftrail.web;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.ByteBuf;
import io.netty.util.ReferenceCounted;
import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

/** The pages that a running agent writes, at the end and when it is asked, in each state. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
final class AgentPagesIT {
  private static final String JAR = System.getProperty("buftrail.jar");
  private static final String JAVA =
      Path.of(System.getProperty("java.home"), "bin", "java").toString();
  private static final String LEAKS = "[aria-labelledby=leaks-title] .leak-place";

  private final Browser browser = new Browser();

  @AfterAll
  void close() {
    browser.close();
  }

  /**
   * The pages of a program that has come to some states: what was dumped, and what its end left.
   */
  private static List<Path> pages(Path dir, String... states) throws Exception {
    Path end = dir.resolve("end.html");
    Path dumped = dir.resolve("dumped.html");
    String classes =
        Stream.of(PageStates.class, ByteBuf.class, ReferenceCounted.class)
            .map(type -> type.getProtectionDomain().getCodeSource().getLocation())
            .map(location -> Path.of(location.getPath()).toString())
            .collect(Collectors.joining(File.pathSeparator));
    List<String> command = new ArrayList<>();
    String agent = "-javaagent:" + JAR + "=include=org.buftrail.web;report=" + end;
    command.addAll(List.of(JAVA, agent, "-Xmx128m", "-cp", classes, PageStates.class.getName()));
    command.addAll(Arrays.asList(states));
    Process process =
        new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT).start();
    try (BufferedReader out = process.inputReader()) {
      assertThat(out.readLine()).isEqualTo("ready");
      run(JAVA, "-jar", JAR, "dump", Long.toString(process.pid()), "-o", dumped.toString());
      process.getOutputStream().close();
      assertThat(process.waitFor()).isZero();
    } finally {
      process.destroyForcibly();
    }
    return List.of(dumped, end);
  }

  private static void run(String... command) throws IOException, InterruptedException {
    assertThat(new ProcessBuilder(command).inheritIO().start().waitFor()).isZero();
  }

  private void open(Path page, String name) {
    browser.leave().open(page);
    assertThat(browser.text("h1")).isEqualTo("Buftrail flows");
    assertThat(browser.texts(".failed-section")).isEmpty();
    browser.assertQuiet();
    browser.screenshot("agent-" + name + "-" + page.getFileName().toString().replace(".html", ""));
  }

  @Test
  void aLeak(@TempDir Path dir) throws Exception {
    for (Path page : pages(dir, "leak")) {
      open(page, "leak");
      assertThat(browser.text(".card.critical"))
          .isEqualTo("Leaked\n832 B\n13 flows\ncritical: 832 B of direct memory");
      assertThat(browser.texts(LEAKS))
          .singleElement()
          .asString()
          .matches("PageStates\\.leak:\\d+, last read in PageStates\\.lose:\\d+");
    }
  }

  @Test
  void aSuspect(@TempDir Path dir) throws Exception {
    for (Path page : pages(dir, "suspect")) {
      open(page, "suspect");
      assertThat(browser.text(".card.moderate"))
          .startsWith("Leaked\n0 B\n0 flows\n1 suspect: 9.3 KiB live");
      assertThat(browser.texts(".suspects summary"))
          .singleElement()
          .asString()
          .startsWith("suspect\nPageStates.keep:")
          .contains("9.3 KiB\n37 in, 0 out");
      assertThat(browser.texts(".card.good")).isEmpty();
    }
  }

  @Test
  void aMisuse(@TempDir Path dir) throws Exception {
    for (Path page : pages(dir, "misuse")) {
      open(page, "misuse");
      assertThat(browser.texts(".misuses summary"))
          .singleElement()
          .asString()
          .startsWith("double release\nPageStates.releaseTwice:")
          .contains("3 ×");
    }
  }

  @Test
  void aLeakASuspectAndAMisuseTogether(@TempDir Path dir) throws Exception {
    for (Path page : pages(dir, "leak", "misuse", "suspect")) {
      open(page, "all");
      assertThat(browser.text(".card.critical")).startsWith("Leaked\n832 B\n13 flows\n");
      assertThat(browser.text(".card.live")).contains("1 suspect: 9.3 KiB live");
      assertThat(browser.texts(".suspects .leak-place"))
          .singleElement()
          .asString()
          .startsWith("PageStates.keep:");
      assertThat(browser.texts(".misuses summary")).hasSize(1);
      browser.assertAccessible();
    }
  }

  @Test
  void fewBuffersThatHoldManyChunks(@TempDir Path dir) throws Exception {
    for (Path page : pages(dir, "pinned")) {
      open(page, "pinned");
      assertThat(browser.text(".memory-lead"))
          .startsWith("40 buffers of PageStates.keep:")
          .contains(" (640.0 KiB) hold ")
          .contains(" of direct memory in ");
      assertThat(browser.texts(".memory .vbody .vrow").get(0)).contains("640.0 KiB");
      assertThat(browser.texts(".chunk").size()).isGreaterThanOrEqualTo(15);
      browser.assertAccessible();
    }
  }

  @Test
  void nothing(@TempDir Path dir) throws Exception {
    for (Path page : pages(dir)) {
      open(page, "nothing");
      assertThat(browser.text(".card.good")).isEqualTo("Leaked\n0 B\n0 flows\nno leak was found");
      assertThat(browser.texts(".card").get(2)).startsWith("Released\n1.1 KiB\n11 flows");
      assertThat(browser.text(".leaks-summary")).startsWith("No leak was found");
    }
  }
}
