package org.buftrail.web;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.FileInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Matcher;
import java.util.stream.Stream;
import org.buftrail.model.Snapshot;
import org.buftrail.profile.Profiles;
import org.buftrail.profile.otlp.check.Conformance;
import org.buftrail.profile.pprof.PprofReader;
import org.buftrail.report.SnapshotJsonReader;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The live page of a service under load, under the packaged agent. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
final class LivePageIT {
  private static final String LEAKS = "[aria-labelledby=leaks-title] ";

  private final Browser browser = new Browser();
  private Path directory = Path.of("");
  private LiveService service;
  private String address = "";
  private String token = "";

  @BeforeAll
  void start(@TempDir Path temporary) throws Exception {
    directory = temporary;
    service = new LiveService(directory);
    Matcher page = service.page();
    address = page.group(1);
    token = page.group(2);
  }

  @AfterAll
  void stop() throws InterruptedException {
    browser.close();
    service.stop();
  }

  private void openWithoutToken() {
    browser.open(address);
    browser.run("sessionStorage.clear(); location.reload()");
    browser.await("#token");
  }

  private void open() {
    browser.open(address + "#token=" + token);
    browser.await(".report .card");
  }

  @Test
  @Order(1)
  void withoutTheTokenItAsksForIt() {
    openWithoutToken();
    assertThat(browser.texts(".card")).isEmpty();
    browser.assertAccessible();
    browser.screenshot("live-token");
    browser.focus("#token").press("wrong-but-long-enough");
    browser.clickText("form button", "Show the page");
    browser.awaitText("header [role=status]", "The token is missing or wrong");
    browser.await("#token");
    browser.focus("#token").press(token);
    browser.clickText("form button", "Show the page");
    browser.await(".report .card");
    assertThat(browser.run("return location.href")).isEqualTo(address);
  }

  @Test
  @Order(1)
  void theAddressWithTheTokenOpensAPageThatAsksForIt() {
    openWithoutToken();
    open();
    assertThat(browser.texts("#token")).isEmpty();
  }

  @Test
  @Order(2)
  void leaksShowWhileTheServiceRuns() throws InterruptedException {
    open();
    assertThat(browser.run("return location.hash"))
        .as("the token leaves the address")
        .isEqualTo("");
    for (int i = 0; i < 60 && browser.texts(LEAKS + ".leak-place").isEmpty(); i++) {
      Thread.sleep(1_000);
    }
    assertThat(browser.texts(LEAKS + ".leak-place")).containsExactly("OrderEndpoint.refuse:48");
    assertThat(browser.texts(LEAKS + ".hops .last"))
        .singleElement()
        .asString()
        .contains("last seen");
    browser.await(".history path.total-line");
    assertThat(browser.attributes(".history path.total-line", "d"))
        .singleElement()
        .asString()
        .startsWith("M");
  }

  @Test
  @Order(3)
  void itRefreshesByItselfAndPauses() throws InterruptedException {
    open();
    String before = browser.texts(".card").get(3);
    for (int i = 0; i < 120 && browser.texts(".card").get(3).equals(before); i++) {
      Thread.sleep(500);
    }
    assertThat(browser.texts(".card").get(3)).isNotEqualTo(before);
    browser.clickText(".tools button", "Pause");
    assertThat(browser.text("header [role=status]")).isEqualTo("Paused");
  }

  @Test
  @Order(4)
  void everyDownloadIsWhatItSays() throws Exception {
    Path downloads = Files.createDirectory(directory.resolve("downloads"));
    browser.downloadTo(downloads);
    open();
    for (String form : List.of("JSON", "HTML", "OTLP", "pprof", "text")) {
      browser.clickText(".live-actions button", "Download ▾").clickText(".menu button", form);
      browser.awaitText(".note", "is downloaded");
    }
    Snapshot flows = SnapshotJsonReader.read(awaited(downloads.resolve("flows.json")));
    assertThat(flows.allocated()).isPositive();
    assertThat(flows.leaked().count()).isPositive();
    try (InputStream in = new FileInputStream(awaited(downloads.resolve("flows.otlp")).toFile())) {
      assertThat(Conformance.check(in).isConformant()).isTrue();
    }
    try (InputStream in = new FileInputStream(awaited(downloads.resolve("flows.pb.gz")).toFile())) {
      Profiles profiles = PprofReader.read(in);
      assertThat(profiles.profiles().get(0).total()).isGreaterThanOrEqualTo(flows.allocated());
    }
    assertThat(awaited(downloads.resolve("flows.txt"))).content().contains("LEAK 1 of 1");
    browser.open(awaited(downloads.resolve("flows.html")));
    assertThat(browser.texts(LEAKS + ".leak-place")).containsExactly("OrderEndpoint.refuse:48");
  }

  @Test
  @Order(5)
  void aDragOverTheChartChoosesARangeThatStays() {
    open();
    browser.await(".history path.total-line");
    browser.drag(".history .plot svg", 0.2, 0.9).await(".range .vbody .vrow");
    String title = browser.text("#range-title");
    assertThat(title).matches("From 20\\d\\d-\\d\\d-\\d\\d .* UTC to 20.* UTC");
    assertThat(browser.text(".range-lead"))
        .matches("(Grew|Shrank) by .* live: [\\d,]+ buffers .* allocated, .* released.*");
    assertThat(browser.texts(".range .vbody .vrow"))
        .anyMatch(row -> row.startsWith("OrderEndpoint."));
    browser.awaitOther("header [role=status]", browser.text("header [role=status]"));
    assertThat(browser.text("#range-title")).as("after a refresh").isEqualTo(title);
    browser.assertAccessible();
    browser.screenshot("live-range");
    browser.run(
        "[...document.querySelectorAll('.history button')]"
            + ".find(b => b.textContent === 'Close the range').click()");
    assertThat(browser.texts(".range")).isEmpty();
  }

  private static Path awaited(Path file) throws InterruptedException {
    for (int i = 0; i < 100 && !Files.exists(file); i++) {
      Thread.sleep(100);
    }
    assertThat(file).exists();
    return file;
  }

  @Test
  @Order(5)
  void aSnapshotFileIsWritten() throws IOException {
    open();
    browser.clickText(".live-actions button", "Write a snapshot file");
    browser.awaitText(".note", "-page.json");
    try (Stream<Path> files = Files.list(directory.resolve("snapshots"))) {
      assertThat(files.filter(f -> f.toString().endsWith("-page.json"))).hasSize(1);
    }
  }

  @Test
  @Order(5)
  void aCollectionTellsWhatLeaked() {
    open();
    browser.run(
        "[...document.querySelectorAll('.live-actions button')]"
            + ".find(b => b.textContent === 'Collect now').click()");
    browser.accept();
    browser.awaitText(".note", "Collected: ");
  }

  @Test
  @Order(5)
  void itNamesTheProcess() {
    open();
    browser.awaitText(".about", "DemoService · process " + service.pid());
    assertThat(browser.text(".about")).contains(" · up ", " · Java ", "snapshotDir=snapshots");
    assertThat(browser.run("return document.title")).asString().startsWith("DemoService (");
  }

  @Test
  @Order(5)
  void aHungProcessLooksLikeOne() throws Exception {
    open();
    browser.await("main:not(.old) .card");
    new ProcessBuilder("kill", "-STOP", "" + service.pid()).start().waitFor();
    try {
      browser.await("main.old .card");
      assertThat(browser.text("header [role=status]"))
          .startsWith("No answer: the JVM has not answered within 10 s; what is shown is of 20");
    } finally {
      new ProcessBuilder("kill", "-CONT", "" + service.pid()).start().waitFor();
    }
    browser.await("main:not(.old) .card");
  }

  @Test
  @Order(5)
  void whatIsChosenOutlivesARefresh() {
    open();
    browser
        .clickText(".report .controls button", "Allocated")
        .clickText(".vhead button", "Released");
    browser.run("location.reload()");
    browser.await(".report .card");
    assertThat(browser.texts(".report [data-value=allocated][aria-pressed=true]")).hasSize(1);
    assertThat(browser.texts("[aria-labelledby=paths-title] [aria-sort=descending]"))
        .singleElement()
        .asString()
        .startsWith("Released");
  }

  @ParameterizedTest
  @CsvSource({"light, 1280", "dark, 1280", "light, 375", "dark, 375"})
  @Order(6)
  void itCanBeReadInEveryLightAndWidth(String scheme, int width) {
    browser.scheme(scheme).size(width, 900);
    open();
    browser.await(LEAKS + "li");
    browser.assertNoSidewaysScroll();
    browser.assertAccessible();
    browser.screenshotOfAll("live-" + scheme + "-" + width, width);
    browser.scheme("light").size(1280, 900);
  }

  @Test
  @Order(7)
  void countingFromZeroAsksFirst() {
    open();
    browser.press("");
    browser.run(
        "[...document.querySelectorAll('.live-actions button')]"
            + ".find(b => b.textContent === 'Count from 0').click()");
    browser.accept();
    browser.awaitText(".note", "Counting from 0 again");
  }
}
