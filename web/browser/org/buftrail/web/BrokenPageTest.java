package org.buftrail.web;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.buftrail.profile.diff.ProfileDiff;
import org.buftrail.profile.html.DiffHtml;
import org.buftrail.profile.html.ProfileHtml;
import org.buftrail.report.FlowHtml;
import org.buftrail.report.FlowProfiles;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Pages whose model lacks something or contradicts itself: what needs it says so, the rest is
 * there.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
final class BrokenPageTest {
  private static final String FAILED = "This section cannot be shown: ";

  private final Browser browser = new Browser();

  @AfterAll
  void close() {
    browser.close();
  }

  /** Opens a page in whose model something was replaced. */
  private void open(String page, String pattern, String replacement, Path dir) throws IOException {
    String broken = page.replaceFirst(pattern, replacement);
    assertThat(broken).as("with " + pattern + " replaced").isNotEqualTo(page);
    browser.leave().open(Files.writeString(dir.resolve("broken.html"), broken));
  }

  private static String flows() throws IOException {
    StringWriter page = new StringWriter();
    FlowHtml.write(Flows.suspectsBesideALeak(), page);
    return page.toString();
  }

  private List<String> failed() {
    return browser.texts(".failed-section h2");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "\"suspects\":\\{\"path\":\\[\\d+ | \"suspects\":{\"path\":[-1 | Suspects",
        "\"suspects\":\\{\"path\":\\[\\d+ | \"suspects\":{\"path\":[9 | Suspects",
        "\"sibling\":\\[[^]]*\\] | \"sibling\":null | Suspects",
        "\"leaks\":\\{\"path\":\\[\\d+ | \"leaks\":{\"path\":[7 | Leaks, worst first",
        "\"misuses\":\\{\"kind\":\\[\\],\"place\":\\[\\],\"count\":\\[\\] | \"misuses\":{\"kind\":[],\"place\":[],\"count\":[1] | Used after their release",
        "\"unreleased\":\\{ | \"history\":{\"times\":[1,2]},\"unreleased\":{ | Bytes over time",
      })
  void oneOddMemberCostsItsSectionAlone(
      String pattern, String replacement, String section, @TempDir Path dir) throws IOException {
    open(flows(), pattern, replacement, dir);

    assertThat(failed()).containsExactly(section);
    assertThat(browser.text(".failed-section [role=alert]")).startsWith(FAILED);
    assertThat(browser.text(".card.critical")).startsWith("Leaked\n96 B\n3 flows");
    assertThat(browser.text(".card.live")).contains("2 suspects");
    assertThat(browser.texts("[role=treeitem]").size()).isGreaterThan(2);
    assertThat(browser.text(".table-summary")).isEqualTo("3 paths");
    browser.focus("#search").press("park");
    browser.awaitText(".table-summary", "1 of 3 paths");
    browser.awaitText(
        ".search-result", "No match in this graph; through all matches leaked 0 B, live 1.3 KiB");
    browser.assertAccessible();
  }

  @Test
  void oddStacksLeaveTheTotals(@TempDir Path dir) throws IOException {
    open(flows(), "\"nodes\":\\{\"up\":\\[0,", "\"nodes\":{\"up\":[7,", dir);

    assertThat(browser.text(".card.critical")).startsWith("Leaked\n96 B\n3 flows");
    assertThat(browser.texts(".failed-section [role=alert]"))
        .contains(FAILED + "the parent of node 0 of the stacks is not before it");
    assertThat(failed())
        .contains("Flame graph of flow paths", "All paths")
        .doesNotContain("Totals");
  }

  @Test
  void aColumnThatIsMissingIsNotTakenForZeros(@TempDir Path dir) throws IOException {
    open(flows(), "\"leaked\":\\[3,0,0\\]", "\"leaked\":[3,0]", dir);

    assertThat(failed()).contains("Totals", "Leaks, worst first");
    assertThat(browser.text(".failed-section [role=alert]"))
        .isEqualTo(FAILED + "paths.leaked is missing, or not as long as paths.node");
    assertThat(browser.text("main")).doesNotContain("No leak was found", "no leak was found");
  }

  @Test
  void aMemberThatIsMissingIsNoReasonToShowNothing(@TempDir Path dir) throws IOException {
    for (String member :
        List.of("suspects", "misuses", "unreleased", "seen", "refs", "resources")) {
      open(flows(), "\"" + member + "\":", "\"other\":", dir);
      assertThat(failed()).as(member).isEmpty();
      assertThat(browser.text(".card.critical")).as(member).startsWith("Leaked\n96 B\n3 flows");
    }
    for (String member : List.of("names", "frames", "nodes")) {
      open(flows(), "\"" + member + "\":", "\"other\":", dir);
      assertThat(browser.texts("h1")).as(member).containsExactly("Buftrail flows");
      assertThat(failed()).as(member).isNotEmpty();
    }
    open(flows(), "\"paths\":", "\"other\":", dir);
    assertThat(failed()).contains("Totals");
  }

  @Test
  void aTimeThatIsNoneLeavesTheReport(@TempDir Path dir) throws IOException {
    open(flows(), "\"takenAt\":\"[^\"]*\"", "\"takenAt\":\"yesterday\"", dir);
    assertThat(browser.text(".card.critical")).startsWith("Leaked\n96 B\n3 flows");
    assertThat(browser.texts("[aria-labelledby=leaks-title] .leaks summary")).hasSize(1);
  }

  @Test
  void aSearchInASectionThatFailsGoesOnInTheOthers(@TempDir Path dir) throws IOException {
    browser.leave().open(Files.writeString(dir.resolve("flows.html"), flows()));
    browser.run(
        "document.querySelector('.suspects').replaceChildren = () => { throw new Error('planted') }");
    browser.focus("#search").press("park");
    browser.awaitText(".table-summary", "1 of 3 paths");
    assertThat(browser.text(".failed-section")).isEqualTo("Suspects\n" + FAILED + "planted");
    assertThat(browser.text(".search-result")).startsWith("No match in this graph; ");
  }

  private static String profiles() throws IOException {
    StringWriter page = new StringWriter();
    ProfileHtml.write(FlowProfiles.of(Flows.service()), page);
    return page.toString();
  }

  @Test
  void thePageOfARecordingKeepsWhatItCanShow(@TempDir Path dir) throws IOException {
    open(profiles(), "\"nodes\":\\{\"up\":\\[0,", "\"nodes\":{\"up\":[7,", dir);
    assertThat(failed()).contains("Flame graph", "Functions");
    assertThat(browser.attributes(".kinds button", "data-value"))
        .contains("live", "leaked", "allocated");

    open(profiles(), "\"facts\":\\[", "\"facts\":[7,", dir);
    assertThat(failed()).containsExactly("About this profile");
    assertThat(browser.texts(".vbody .vrow")).isNotEmpty();
    assertThat(browser.texts("[role=treeitem]")).isNotEmpty();
  }

  @Test
  void samplesThatDoNotFitTogetherCostTheirViewsAlone(@TempDir Path dir) throws IOException {
    String page = HeatmapPageTest.page();
    open(page, "\"thread\":\"A", "\"thread\":\"AA", dir);
    assertThat(failed()).containsExactly("Heatmap", "Threads");
    assertThat(browser.text(".failed-section [role=alert]"))
        .isEqualTo(FAILED + "the columns of the samples do not fit together");
    assertThat(browser.text(".profile-total")).isEqualTo("220 samples in all");
    assertThat(browser.texts(".vbody .vrow")).hasSize(3);
  }

  @Test
  void thePageOfAComparisonKeepsWhatItCanShow(@TempDir Path dir) throws IOException {
    StringWriter page = new StringWriter();
    ProfileDiff diff =
        ProfileDiff.of(
            List.of(FlowProfiles.of(Flows.service())),
            List.of(FlowProfiles.of(Flows.suspect())),
            ProfileDiff.Scale.NONE,
            false);
    DiffHtml.write(diff, "monday", "tuesday", page);
    open(page.toString(), "\"nodes\":\\{\"up\":\\[0,", "\"nodes\":{\"up\":[7,", dir);
    assertThat(failed()).contains("Differential flame graph", "Functions");
    assertThat(browser.texts(".facts dd")).contains("monday: 2026-01-31T12:00:00Z");
    assertThat(browser.texts(".kinds button")).isNotEmpty();
  }
}
