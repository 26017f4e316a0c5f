package org.buftrail.report;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.StringReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.buftrail.model.MemoryRange;
import org.buftrail.model.Snapshot;
import org.buftrail.profile.output.ProfileFormat;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Whole reports in each format that is text. After a change, {@code -Dbuftrail.docs=update
 * -Dtest=EachFormatTest} writes them anew.
 */
final class EachFormatTest {
  private static final Path REPORTS = Path.of("src/test/resources/reports");

  @ParameterizedTest
  @EnumSource(
      value = ProfileFormat.class,
      names = {"TEXT", "JSON", "COLLAPSED", "DOT", "MERMAID", "LLM", "SPEEDSCOPE"})
  void aShopIsToldInFull(ProfileFormat format) throws IOException {
    assertKept("shop", format, ShopSnapshots.shop());
  }

  @ParameterizedTest
  @EnumSource(
      value = ProfileFormat.class,
      names = {"TEXT", "DOT", "LLM"})
  void manyLeaksAreToldByPlaceAndCut(ProfileFormat format) throws IOException {
    assertKept("many", format, ShopSnapshots.many());
  }

  @ParameterizedTest
  @EnumSource(
      value = ProfileFormat.class,
      names = {"TEXT", "LLM"})
  void whereNothingLeaksIsSaidWhatIsOpen(ProfileFormat format) throws IOException {
    assertKept("quiet", format, ShopSnapshots.quiet());
  }

  @ParameterizedTest
  @EnumSource(
      value = ProfileFormat.class,
      names = {"TEXT", "JSON", "LLM"})
  void aRangeOfTimeIsTold(ProfileFormat format) throws IOException {
    long noon = 1_769_860_800_000L;
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    MemoryRange range = MemoryRange.of(PastReportsTest.minutes(), noon + 60_000, noon + 130_000);
    RangeReport.write(range, format, out);
    assertKept("range" + format.ending(), out);
  }

  @Test
  void allThatAFileHasIsReadBack() throws IOException {
    String written = Files.readString(REPORTS.resolve("shop.json"));
    StringBuilder again = new StringBuilder();
    SnapshotJson.write(SnapshotJsonReader.read(new StringReader(written)), again);
    assertThat(again.toString()).isEqualTo(written);
  }

  private static void assertKept(String name, ProfileFormat format, Snapshot snapshot)
      throws IOException {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    FlowReports.write(snapshot, format, out);
    assertKept(name + format.ending(), out);
  }

  private static void assertKept(String name, ByteArrayOutputStream report) throws IOException {
    String text = report.toString(StandardCharsets.UTF_8);
    Path file = REPORTS.resolve(name);
    if ("update".equals(System.getProperty("buftrail.docs"))) {
      Files.createDirectories(REPORTS);
      Files.writeString(file, text);
    }
    assertThat(text).isEqualTo(Files.readString(file));
  }
}
