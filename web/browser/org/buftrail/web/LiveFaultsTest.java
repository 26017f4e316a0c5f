package org.buftrail.web;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.List;
import org.buftrail.model.Snapshot;
import org.buftrail.report.FlowHtml;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.openqa.selenium.Keys;

/** The live page while something is wrong: with the JVM, with what it answers, or with the page. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
final class LiveFaultsTest {
  private static final String STATUS = "header [role=status]";
  private static final String COLLECT = ".live-actions button:nth-last-of-type(2)";
  private static final String TRANSIT =
      "{\"hops\":\"(in transit)\",\"memory\":\"heap\",\"live\":[1,2],\"leaked\":[0,0],"
          + "\"allocated\":[0,0]},{\"hops\":\"x.Root.a > app.A.a:7\",\"memory\":\"direct\","
          + "\"live\":[0,0],\"leaked\":[0,5],\"allocated\":[7,9]}";

  private final Browser browser = new Browser();
  private StubAgent agent;

  LiveFaultsTest() throws IOException {
    agent = new StubAgent();
  }

  /** A new one for each test. */
  @AfterEach
  void restart() throws IOException {
    agent.close();
    agent = new StubAgent();
    browser.scheme("light").size(1280, 900).leave();
  }

  @AfterAll
  void close() {
    agent.close();
    browser.close();
  }

  private void open(Snapshot snapshot) throws IOException {
    agent.flows(snapshot);
    open();
  }

  private void open() {
    browser.open(agent.address());
    browser.await(".report > *");
  }

  /** What the page says of leaks and suspects, with what it looks like. */
  private List<Object> found() {
    Object looks =
        browser.run(
            "return [...document.querySelectorAll('.card, .leaks, .severity')].map(e => {"
                + "const s = getComputedStyle(e);"
                + "return s.color + s.backgroundColor + s.opacity + s.filter; }).join()");
    Object report =
        browser.run(
            "const s = getComputedStyle(document.querySelector('.report'));"
                + "return s.opacity + s.filter");
    return List.of(browser.texts(".leaks summary"), browser.texts(".card"), looks, report);
  }

  @Test
  void aSuspectThatIsNowhereIsSaidInItsSectionAndTheRestGoesOn() throws IOException {
    StringBuilder model = new StringBuilder();
    FlowHtml.model(Flows.suspectsBesideALeak(), model);
    String broken =
        model
            .toString()
            .replaceFirst("\"suspects\":\\{\"path\":\\[\\d+", "\"suspects\":{\"path\":[-1");
    assertThat(broken).isNotEqualTo(model.toString());
    agent.flows(broken);
    open();

    assertThat(browser.text(".report .failed-section"))
        .isEqualTo(
            "Suspects\n"
                + "This section cannot be shown: suspects.path names path -1, and there are 3");
    assertThat(browser.text(".card.critical")).startsWith("Leaked\n96 B\n3 flows");
    assertThat(browser.text(".card.live")).contains("2 suspects: ");
    assertThat(browser.texts("[aria-labelledby=leaks-title] .leak-place"))
        .containsExactly("Shop.lose:17");
    assertThat(browser.text(".table-summary")).isEqualTo("3 paths");
    String before = browser.text(STATUS);
    assertThat(before).startsWith("As of 2026-01-31 12:00:0").endsWith("refreshed by itself");
    browser.awaitOther(STATUS, before);
    assertThat(browser.text(STATUS)).endsWith("refreshed by itself");
    assertThat(browser.texts("main.old")).isEmpty();
  }

  @Test
  void anErrorOfTheJvmIsSaidWithWhatItAnsweredAndIsOver() throws IOException {
    open(Flows.suspectsBesideALeak());
    List<Object> found = found();
    agent.answer("/api/flows", StubAgent.text(500, "500: the answer could not be made\n"));

    browser.awaitText(
        STATUS,
        "No usable answer: the JVM answered 500: the answer could not be made; what is shown is of"
            + " 2026-01-31 12:00:0");
    assertThat(browser.text(".outdated")).startsWith("Not current: as of 2026-01-31 12:00:0");
    assertThat(found()).isEqualTo(found);
    agent.flows(Flows.suspectsBesideALeak());
    browser.awaitText(STATUS, "refreshed by itself");
    assertThat(browser.text(".outdated")).isEmpty();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "<html>Bad gateway</html> | what the JVM sent for /api/flows cannot be read (",
        "{\"names\":[ | what the JVM sent for /api/flows cannot be read (",
        "null | what the JVM sent for /api/flows is not what this page shows; load the page again",
        "{\"format\":\"buftrail.page\",\"version\":2} | what the JVM sent for /api/flows is not",
      })
  void anAnswerOfGarbageIsSaidToBeOne(String answer, String reason) throws IOException {
    open(Flows.suspectsBesideALeak());
    List<Object> found = found();
    agent.answer("/api/flows", StubAgent.text(200, answer));

    browser.awaitText(STATUS, "No usable answer: " + reason);
    assertThat(found()).isEqualTo(found);
  }

  @Test
  void aConnectionThatBreaksOffIsNoAnswer() throws IOException {
    open(Flows.suspectsBesideALeak());
    agent.answer("/api/flows", StubAgent.brokenOff());
    browser.awaitText(STATUS, "No answer: the JVM cannot be reached; what is shown is of 2026");
  }

  @ParameterizedTest
  @CsvSource({"light, 1280", "dark, 1280", "light, 375", "dark, 375"})
  void whatLeakedStaysReadableWhenTheJvmHasGone(String scheme, int width) throws IOException {
    browser.scheme(scheme).size(width, 900);
    open(Flows.suspectsBesideALeak());
    List<Object> found = found();
    agent.vanish();

    browser.awaitText(STATUS, "No answer: the JVM cannot be reached; what is shown is of 2026");
    assertThat(found()).isEqualTo(found);
    assertThat(String.valueOf(found.get(3))).isEqualTo("1none");
    assertThat(browser.texts(".leaks summary")).hasSize(3);
    assertThat(browser.text(".outdated")).startsWith("Not current");
    browser.assertAccessible();
    browser.assertNoSidewaysScroll();
    browser.screenshot("live-gone-" + scheme + "-" + width);
  }

  @Test
  void aChartWithoutAnAnswerIsNoReasonToShowNothing() throws IOException {
    agent.answer("/api/history", StubAgent.text(500, "500: the answer could not be made"));
    open(Flows.suspectsBesideALeak());

    assertThat(browser.texts(".leaks summary")).hasSize(3);
    browser.awaitText(
        ".note:not([role])",
        "The chart is not refreshed. No usable answer: the JVM answered 500: the answer could not"
            + " be made");
    agent.answer("/api/history", StubAgent.text(200, "{}"));
    browser.awaitText(".failed-section", "Bytes over time\nThis section cannot be shown: ");
    agent.history("");
    browser.await(".history .total-line");
    assertThat(browser.texts(".failed-section")).isEmpty();
  }

  @Test
  void aFaultOfThePageIsNoneOfTheJvmAndItGoesOn() throws IOException {
    open(Flows.suspectsBesideALeak());
    browser.run("window.kept = Date.parse; Date.parse = () => { throw new TypeError('planted'); }");
    browser.awaitText(STATUS, "This page failed, not the JVM: planted");
    browser.run("Date.parse = window.kept");
    browser.awaitText(STATUS, "refreshed by itself");
    assertThat(browser.texts("main.old")).isEmpty();
  }

  @Test
  void whatFailsInAHandlerIsSaidOnTop() throws IOException {
    open(Flows.suspectsBesideALeak());
    assertThat(browser.texts(".fault").get(0)).isEmpty();
    browser.run(
        "HTMLDialogElement.prototype.showModal = null;"
            + "document.querySelector('.vbody .vrow').click()");
    browser.awaitText(".fault", "This page could not do all that it was asked: ");
    browser.assertAccessible();
  }

  @Test
  void aQuestionIsAnsweredByTheKeyboardAndGivesTheFocusBack() throws IOException {
    agent.answer(
        "/api/collect", StubAgent.text(200, "{\"collected\":true,\"leaked\":0,\"leakedBytes\":0}"));
    open(Flows.undecided());
    browser.focus(COLLECT).press(Keys.ENTER);

    assertThat(browser.text("dialog.question"))
        .startsWith("Collect now\nAsk the JVM to collect its garbage?");
    assertThat(focused()).isEqualTo("Cancel");
    browser.assertAccessible();
    browser.screenshot("question");
    browser.press(Keys.TAB).press(Keys.TAB).press(Keys.TAB);
    assertThat(
            browser.run(
                "return document.querySelector('main .report').contains(document.activeElement)"))
        .as("the page behind it")
        .isEqualTo(false);
    browser.press(Keys.ESCAPE);
    assertThat(browser.texts("dialog.question")).isEmpty();
    assertThat(focused()).isEqualTo("Collect now");
    assertThat(agent.posted()).isEmpty();

    browser.press(Keys.ENTER).press(Keys.ENTER);
    assertThat(agent.posted()).as("Cancel is what Enter does").isEmpty();
    assertThat(focused()).isEqualTo("Collect now");
    browser.press(Keys.ENTER).press(Keys.TAB).press(Keys.ENTER);
    browser.awaitText(
        ".note[role]", "Collected: no more leaks were found; 5 of the live ones are undecided");
    assertThat(agent.posted()).containsExactly("/api/collect");
    assertThat(focused()).isEqualTo("Collect now");
  }

  private Object focused() {
    return browser.run("return document.activeElement.textContent");
  }

  @Test
  void aRefreshWhileSomebodyReadsLeavesTheirPageAlone() throws IOException {
    open(Flows.suspectsBesideALeak());
    browser.pointAt(".report h2");
    browser.run("document.querySelector('.search input').dataset.mine = 'yes'");
    agent.flows(Flows.undecided());
    browser.awaitText(".report .card", "5 undecided");
    browser.awaitText(".stale", "Update what is below; it is ");

    assertThat(browser.texts("[aria-labelledby=leaks-title] .leak-place")).hasSize(1);
    browser.press("/");
    assertThat(browser.run("return document.activeElement.dataset.mine")).isEqualTo("yes");
    browser.press("park");
    browser.awaitText(".table-summary", "1 of 3 paths");
    browser.click(".stale");
    assertThat(browser.text(".table-summary")).endsWith("of 1 path");
  }

  @Test
  void whatIsInTransitIsNoPathOfTheChartAndAPathWithoutBytesIsLeftOut() throws IOException {
    agent.history(TRANSIT);
    open(Flows.inTransit());
    browser.await(".history .legend li");
    assertThat(browser.texts(".history .legend li")).containsExactly("in transit\n2 B heap");
    assertThat(browser.attributes(".history .legend li", "title"))
        .singleElement()
        .asString()
        .startsWith("In transit: alive, but on no path that is known");
    assertThat(browser.texts(".history .tick").size()).isGreaterThanOrEqualTo(8);
  }
}
