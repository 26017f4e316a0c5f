package org.buftrail.report;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.StringReader;
import java.util.List;
import org.buftrail.model.ProcessMemory;
import org.buftrail.model.Snapshot;
import org.junit.jupiter.api.Test;

/** Who shares the resident set, in each form, and read back. */
class ProcessMemoryTextTest {
  private static final long MIB = 1 << 20;

  static ProcessMemory memory() {
    return new ProcessMemory(
        List.of(
            new ProcessMemory.Owner("Java heap", 24 * MIB, 0, "8.0 MiB used"),
            new ProcessMemory.Owner("other direct buffers", 72 * MIB, MIB, "73.0 MiB counted"),
            new ProcessMemory.Owner("not known", 0, 0, "")),
        List.of("Java heap at most 64.0 MiB"));
  }

  @Test
  void aTableByOwner() throws IOException {
    StringBuilder text = new StringBuilder();
    TreeReport.write(SnapshotBuilder.service().with(memory()), text);
    assertThat(text.toString())
        .contains(
            """

            THE WHOLE PROCESS has 96.0 MiB in RAM
            owner                              resident  share  what is known
            Java heap                          24.0 MiB 25.0 %  8.0 MiB used
            other direct buffers               72.0 MiB 75.0 %  73.0 MiB counted; 1.0 MiB more \
            not in RAM
            not known                               0 B  0.0 %

            limit: Java heap at most 64.0 MiB
            """);
  }

  @Test
  void modelsGetALineForEachOwner() throws IOException {
    StringBuilder text = new StringBuilder();
    LlmReport.write(SnapshotBuilder.service().with(memory()), text);
    assertThat(text.toString())
        .contains(
            "\nPROCESS_MEMORY: the resident set by owner, each page counted once\n"
                + "owner name=\"Java heap\" resident_bytes=25165824 not_in_ram_bytes=0"
                + " known=\"8.0 MiB used\"\n")
        .contains("limit=\"Java heap at most 64.0 MiB\"\n");
  }

  @Test
  void allOfItIsReadBackAndOnThePage() throws IOException {
    StringBuilder json = new StringBuilder();
    SnapshotJson.write(SnapshotBuilder.service().with(memory()), json);
    Snapshot read = SnapshotJsonReader.read(new StringReader(json.toString()));
    StringBuilder again = new StringBuilder();
    SnapshotJson.write(read, again);
    assertThat(again.toString()).isEqualTo(json.toString());
    String owner =
        "{\"owner\":\"other direct buffers\",\"residentBytes\":75497472,"
            + "\"notInRamBytes\":1048576,\"known\":\"73.0 MiB counted\"}";
    assertThat(json.toString()).contains(owner);
    StringBuilder page = new StringBuilder();
    FlowHtml.model(read, page);
    assertThat(page.toString()).contains(owner);
  }

  @Test
  void nothingIsSaidWhereNobodyAsked() throws IOException {
    StringBuilder all = new StringBuilder();
    TreeReport.write(SnapshotBuilder.service(), all);
    SnapshotJson.write(SnapshotBuilder.service(), all);
    LlmReport.write(SnapshotBuilder.service(), all);
    FlowHtml.model(SnapshotBuilder.service(), all);
    assertThat(all.toString())
        .doesNotContain("WHOLE PROCESS")
        .doesNotContain("\"resident\"")
        .doesNotContain("PROCESS_MEMORY");
  }
}
