package org.buftrail.sql;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import java.util.zip.GZIPOutputStream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** What commands say, and leave, where there is no place for temporary files. */
@DisabledOnOs(OS.WINDOWS)
@Timeout(120)
final class TemporarySpaceTest {
  /** A file of 100 MB, in blocks of 512 bytes: DuckDB's native code is smaller. */
  private static final String LIMITED = "ulimit -f 200000; " + Forked.COMMAND;

  private static final int LARGER = 110 << 20;

  @TempDir private Path directory;

  /** Writes what begins as a recording, and is more than may be written. */
  private static void writeLarge(OutputStream out) throws IOException {
    out.write("FLR\0".getBytes(UTF_8));
    byte[] zeros = new byte[1 << 20];
    for (int written = 0; written < LARGER; written += zeros.length) {
      out.write(zeros);
    }
  }

  /** An archive of a sound recording and a large one. */
  private Path archive() throws IOException {
    Path file = directory.resolve("both.zip");
    try (OutputStream out = Files.newOutputStream(file);
        ZipOutputStream zip = new ZipOutputStream(out)) {
      zip.putNextEntry(new ZipEntry("a.jfr"));
      Files.copy(Answer.unpacked("jdk21", directory), zip);
      zip.putNextEntry(new ZipEntry("b.jfr"));
      writeLarge(zip);
    }
    return file;
  }

  private Path large() throws IOException {
    Path file = directory.resolve("large.jfr.gz");
    try (OutputStream out = Files.newOutputStream(file);
        GZIPOutputStream packed = new GZIPOutputStream(out)) {
      writeLarge(packed);
    }
    return file;
  }

  private String cannotCopy(Path recording) {
    return "buftrail: " + recording + ": cannot be copied to a temporary file in " + directory;
  }

  @Test
  void aMissingDirectoryIsOneLine() throws Exception {
    Path none = directory.resolve("none");
    String said =
        Forked.run(
            directory,
            none,
            Forked.COMMAND,
            "sql",
            "select 1",
            Answer.recording("jdk11").toAbsolutePath().toString());
    // Newer JVMs warn of it.
    List<String> lines = said.lines().filter(line -> !line.startsWith("WARNING: ")).toList();
    assertThat(lines).hasSize(2).last().isEqualTo("1");
    assertThat(lines.get(0))
        .startsWith("buftrail: DuckDB's native code cannot be loaded from " + none);
  }

  @Test
  void aRecordingThatCannotBeCopiedEndsTheQuery() throws Exception {
    Path archive = archive();
    String query = "select count(*) from samples";
    String said =
        Forked.run(directory, directory, LIMITED, "sql", "--lenient", query, archive.toString());
    assertThat(said.lines()).hasSize(2).last().isEqualTo("1");
    assertThat(said).startsWith(cannotCopy(archive));
  }

  @Test
  void aRecordingThatCannotBeCopiedIsNotAddedToADataset() throws Exception {
    Path archive = archive();
    Path dataset = directory.resolve("dataset");
    String[] convert = {
      "convert",
      "--format",
      "parquet",
      "--lenient",
      "-o",
      dataset.toString(),
      archive.toString(),
      large().toString()
    };
    String said = Forked.run(directory, directory, LIMITED, convert);
    assertThat(said.lines()).hasSize(2).last().isEqualTo("1");
    assertThat(said).startsWith(cannotCopy(archive));
    try (Stream<Path> all = Files.walk(dataset)) {
      assertThat(all.filter(Files::isRegularFile)).containsExactly(dataset.resolve("dataset.json"));
    }
  }
}
