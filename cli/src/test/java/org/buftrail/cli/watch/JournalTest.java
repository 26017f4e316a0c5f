package org.buftrail.cli.watch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import org.buftrail.jfr.dataset.Content;
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
      journal.add(Journal.key(recording), content(recording));
    }
  }

  private static String content(Path recording) throws IOException {
    return Content.of(recording).id();
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

  /** It may come back by another name. */
  @Test
  void whatIsGoneIsKnownByItsContent() throws Exception {
    Path moved = Files.move(recording, directory.resolve("b\n\\n.jfr"));
    try (Journal journal = new Journal(file)) {
      assertThat(journal.contains(Journal.key(moved))).isFalse();
      assertThat(journal.hasContent(content(moved))).isTrue();
      Files.writeString(moved, "ab");
      assertThat(journal.hasContent(content(moved))).isFalse();
    }
  }

  @Test
  void anyNameIsOneLine() throws Exception {
    Path odd =
        Files.writeString(directory.resolve("a\tb\nc\\d\re\\nf\033[7m\177\\u0041.jfr"), "odd");
    try (Journal journal = new Journal(file)) {
      journal.add(Journal.key(odd), content(odd));
    }
    assertThat(Files.readAllLines(file)).hasSize(2);
    assertThat(Files.readString(file)).doesNotContain("\033", "\177").contains("\\u001b[7m");
    assertKnown(odd);
    assertKnown(recording);
  }

  /** So that it does not grow with each file that comes and goes. */
  @Test
  void ofWhatIsGoneTheLastStay() throws Exception {
    StringBuilder lines = new StringBuilder();
    for (int i = 0; i < 10_100; i++) {
      lines.append(i).append("\t1\t1\t/gone\n");
    }
    Files.writeString(file, lines, StandardOpenOption.APPEND);
    assertKnown(recording);
    assertThat(Files.readAllLines(file)).hasSize(10_001).contains("10099\t1\t1\t/gone");
  }

  @Test
  void itsOwnerAloneMayReadIt() throws Exception {
    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
        .isEqualTo("rw-------");
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
