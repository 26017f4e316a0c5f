package org.buftrail.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.buftrail.model.Snapshot;
import org.buftrail.profile.output.ProfileFormat;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ReportsTest {
  private static final Snapshot SNAPSHOT = SnapshotBuilder.service();

  @ParameterizedTest
  @CsvSource({
    "flows.txt, Buftrail flows at 2026-01-31T12:00:00.250Z",
    "flows.JSON, '{\"format\":\"buftrail.flows\",'",
    "flows.collapsed, io.netty.buffer.PooledByteBufAllocator.directBuffer;",
    "flows.dot, digraph flows {",
    "flows.mmd, flowchart TD",
    "flows.llm, METADATA",
    "flows.html, <!doctype html>",
  })
  void theNameDecidesTheFormat(String name, String start, @TempDir Path dir) throws IOException {
    Path file = dir.resolve(name);
    Reports.write(SNAPSHOT, file);

    assertThat(file).content().startsWith(start);
    assertThat(files(dir)).as("no temporary file is left").containsExactly(name);
  }

  @Test
  void replacesWhatIsThere(@TempDir Path dir) throws IOException {
    Path file = Files.writeString(dir.resolve("flows.json"), "old".repeat(100_000));
    Reports.write(SNAPSHOT, file);

    assertThat(file).hasContent(SnapshotJsonTest.json(SNAPSHOT));
  }

  @Test
  void followsALink(@TempDir Path dir) throws IOException {
    Path file = Files.writeString(dir.resolve("target.json"), "old");
    Path link = Files.createSymbolicLink(dir.resolve("flows.json"), file);
    Reports.write(SNAPSHOT, link);

    assertThat(link).isSymbolicLink();
    assertThat(file).hasContent(SnapshotJsonTest.json(SNAPSHOT));
  }

  @Test
  void writesToADevice() throws IOException {
    Reports.write(SNAPSHOT, ProfileFormat.TEXT, Path.of("/dev/null"));

    assertThat(Files.isRegularFile(Path.of("/dev/null"))).isFalse();
  }

  @Test
  void aFaultIsOneLineAndLeavesWhatIsThere(@TempDir Path dir) throws IOException {
    Path missing = dir.resolve("no/flows.json");
    Path directory = Files.createDirectory(dir.resolve("is.json"));

    assertFault(missing, "there is no directory " + dir.resolve("no"));
    assertFault(directory, "it is a directory; name a file in it");
    assertFault(
        dir.resolve("flows.xml"), "the name must end in one of " + ProfileFormat.allEndings());
    assertThat(files(dir)).containsExactly("is.json");
  }

  @Test
  void aFullDiskCostsTheReportOnly() {
    assertThatThrownBy(() -> Reports.write(SNAPSHOT, ProfileFormat.TEXT, Path.of("/dev/full")))
        .isInstanceOf(IOException.class)
        .hasMessage("cannot write /dev/full: No space left on device");
  }

  private static void assertFault(Path file, String reason) {
    assertThatThrownBy(() -> Reports.write(SNAPSHOT, file))
        .isInstanceOf(IOException.class)
        .hasMessage("cannot write " + file + ": " + reason);
  }

  private static List<String> files(Path dir) throws IOException {
    try (Stream<Path> files = Files.list(dir)) {
      return files.map(file -> file.getFileName().toString()).toList();
    }
  }
}
