package org.buftrail.cli.watch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class JournalTest {
  @TempDir private Path directory;
  private Path recording = Path.of("");
  private Path file = Path.of("");

  @BeforeEach
  void write() throws IOException {
    recording = Files.writeString(directory.resolve("a.jfr"), "a");
    file = directory.resolve("journal");
    try (Journal journal = new Journal(file)) {
      journal.add(Journal.key(recording));
    }
  }

  private void assertKnown(Path name) throws IOException {
    try (Journal journal = new Journal(file)) {
      assertThat(journal.contains(Journal.key(name))).isTrue();
    }
  }

  @Test
  void aRecordingIsTheSameByWhateverName() throws Exception {
    assertKnown(directory.resolve("..").resolve(directory.getFileName()).resolve("a.jfr"));
    assertKnown(Path.of("").toAbsolutePath().relativize(recording.toAbsolutePath()));
  }

  @Test
  void aChangedRecordingIsAnother() throws Exception {
    Files.writeString(recording, "ab");
    try (Journal journal = new Journal(file)) {
      assertThat(journal.contains(Journal.key(recording))).isFalse();
    }
  }

  /** So that it does not grow with each change. */
  @Test
  void whatHasChangedOrIsGoneIsForgotten() throws Exception {
    Files.writeString(recording, "ab");
    Path other = Files.writeString(directory.resolve("b.jfr"), "b");
    try (Journal journal = new Journal(file)) {
      journal.add(Journal.key(other));
    }
    assertThat(Files.readAllLines(file)).containsExactly(Journal.key(other));
    Files.delete(other);
    try (Journal journal = new Journal(file)) {
      assertThat(journal.contains(Journal.key(recording))).isFalse();
    }
    assertThat(file).isEmptyFile();
  }

  @Test
  void whatACrashLeftIsPassedOver() throws Exception {
    Files.write(
        file, new byte[] {'\n', (byte) 0xff, '\t', 0, '\t', 0, '\n'}, StandardOpenOption.APPEND);
    assertKnown(recording);
  }

  @Test
  void hasOneOwner() throws Exception {
    try (Journal first = new Journal(file)) {
      assertThatThrownBy(() -> new Journal(file))
          .isInstanceOf(IOException.class)
          .hasMessageContaining("another watch keeps this journal");
      assertThat(first.contains(Journal.key(recording))).isTrue();
    }
    assertKnown(recording);
  }
}
