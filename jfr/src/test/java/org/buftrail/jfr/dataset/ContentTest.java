package org.buftrail.jfr.dataset;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class ContentTest {
  @TempDir private Path directory;

  /** Datasets have this id for years. */
  @Test
  void theIdIsHalfOfTheHash() throws IOException {
    Path file = Files.writeString(directory.resolve("a"), "abc");
    assertThat(Content.of(file).id()).isEqualTo("ba7816bf8f01cfea414140de5dae2223");
    assertThat(Content.of(file).length()).isEqualTo(3);
  }

  @Test
  void aChangeIsSeen() throws IOException {
    byte[] bytes = new byte[200_000];
    Path file = Files.write(directory.resolve("a"), bytes);
    Content content = Content.of(file);
    assertThat(content.isStillOf(file)).isTrue();
    bytes[150_000] = 1;
    Files.write(file, bytes);
    assertThat(content.isStillOf(file)).isFalse();
    Files.write(file, new byte[200_001]);
    assertThat(content.isStillOf(file)).isFalse();
    Files.write(file, new byte[200_000]);
    assertThat(content.isStillOf(file)).isTrue();
  }
}
