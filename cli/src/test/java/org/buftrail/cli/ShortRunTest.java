package org.buftrail.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** How much a command's line says that will be read. */
final class ShortRunTest {
  @TempDir private Path directory;

  @BeforeEach
  void write() throws IOException {
    Files.write(directory.resolve("a.jfr"), new byte[3000]);
    Files.write(directory.resolve("b.jfr"), new byte[500]);
  }

  private long size(String... arguments) {
    return ShortRun.size(arguments);
  }

  @Test
  void filesAreAddedUp() {
    String a = directory.resolve("a.jfr").toString();
    assertThat(size("convert", a, directory.resolve("b.jfr").toString(), "-o", "x.otlp"))
        .isEqualTo(3500);
    assertThat(size("convert", a, "--cpu")).isEqualTo(3000);
  }

  @Test
  void aDirectoryIsTheFilesInIt() {
    assertThat(size("convert", directory.toString())).isEqualTo(3500);
  }

  @Test
  void nobodyKnowsWhatAPipeOrADirectoryInADirectoryHolds() throws IOException {
    assertThat(size("convert", "-")).isEqualTo(Long.MAX_VALUE);
    Files.createDirectory(directory.resolve("more"));
    assertThat(size("convert", directory.toString())).isEqualTo(Long.MAX_VALUE);
  }

  @Test
  void aDirectoryWithTheCommandsNameIsNotRead() throws IOException {
    Files.createDirectory(directory.resolve("more"));
    assertThat(size(directory.toString(), directory.resolve("a.jfr").toString())).isEqualTo(3000);
  }

  @Test
  void whatIsNotThereIsNothing() {
    assertThat(size("convert", directory.resolve("c.jfr").toString(), "")).isZero();
  }
}
