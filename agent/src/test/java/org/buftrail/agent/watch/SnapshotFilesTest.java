package org.buftrail.agent.watch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.buftrail.agent.source.SnapshotBuilder;
import org.buftrail.model.Snapshot;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class SnapshotFilesTest {
  @TempDir private Path directory = Path.of("");
  private final List<String> log = new ArrayList<>();

  private static Snapshot at(long millis) {
    return SnapshotBuilder.none().direct("directBuffer app.A.a", 1, 2, 3).after(millis).build();
  }

  private List<String> names() throws IOException {
    try (Stream<Path> files = Files.list(directory)) {
      return files.map(f -> f.getFileName().toString()).sorted().collect(Collectors.toList());
    }
  }

  @Test
  void aFileIsNamedByTimeProcessAndReasonAndHoldsTheSnapshot() throws Exception {
    Path sub = directory.resolve("a/b");
    Path file = new SnapshotFiles(sub, 9, 1 << 20, log::add).write(at(7), "every");
    assertThat(Objects.requireNonNull(file).getFileName())
        .hasToString(
            "flows-20260202T024000.007Z-p" + ProcessHandle.current().pid() + "-every.json");
    assertThat(Files.readString(file)).contains("\"leaked\":2");
    assertThat(log).containsExactly("snapshot (every) written to " + file);
  }

  /** Another JVM has finished a snapshot between two looks: its temporary file is there no more. */
  @Test
  void aTemporaryFileOfAnotherJvmThatGoesMeanwhileDoesNotFailASnapshot() throws IOException {
    SnapshotFiles files = new SnapshotFiles(directory, 3, 1 << 20, log::add);
    Files.createSymbolicLink(
        directory.resolve(".flows-20260202T024000.007Z-p1-every.json.1f.tmp"),
        directory.resolve("gone"));
    assertThat(files.write(at(1), "every")).exists();
    assertThat(log).singleElement().asString().startsWith("snapshot (every) written to ");
  }

  /** Only root can give a directory away. */
  @Test
  void aDirectoryOfAnotherUserIsRefused() throws IOException {
    assumeTrue(System.getProperty("user.name").equals("root"));
    Path others = Files.createDirectory(directory.resolve("others"));
    Files.setAttribute(others, "unix:uid", 65_534);
    SnapshotFiles files = new SnapshotFiles(others, 1, 1 << 20, log::add);
    files.check(log::add);
    assertThat(files.write(at(1), "every")).isNull();
    assertThat(log)
        .containsExactly(
            "no snapshots can be written: " + others + ": belongs to another user",
            "no snapshot (every): " + others + ": belongs to another user");
    assertThat(others).isEmptyDirectory();
  }

  /** A directory in the place of a file stands for a file of somebody else. */
  @Test
  void whatCannotBeDeletedIsSaidOnceAndFailsNoSnapshot() throws IOException {
    SnapshotFiles files = new SnapshotFiles(directory, 1, 1 << 20, log::add);
    Path other =
        Files.createDirectories(directory.resolve("flows-20200202T024000.007Z-p1-every.json/x"));
    assertThat(files.write(at(1), "every")).exists();
    assertThat(files.write(at(2), "every")).exists();
    assertThat(log).filteredOn(line -> line.startsWith("snapshot (every)")).hasSize(2);
    assertThat(log).filteredOn(line -> line.startsWith("old snapshots stay in")).hasSize(1);
    assertThat(other).exists();
  }

  @Test
  void theOldestGoWhenTheyAreTooMany() throws IOException {
    SnapshotFiles files = new SnapshotFiles(directory, 3, 1 << 20, log::add);
    Files.writeString(directory.resolve("flows-mine.json"), "not ours");
    for (int i = 0; i < 6; i++) {
      files.write(at(i), "every");
    }
    assertThat(names()).hasSize(4).last().isEqualTo("flows-mine.json");
    assertThat(names().get(0)).contains(".003Z");
  }

  @Test
  void theOldestGoWhenTheyAreTooBigAndTheNewestStays() throws IOException {
    SnapshotFiles files = new SnapshotFiles(directory, 100, 10, log::add);
    files.write(at(1), "oom");
    files.write(at(2), "oom");
    assertThat(names()).hasSize(1);
    assertThat(names().get(0)).contains(".002Z");
  }

  @Test
  void whatAKilledJvmLeftIsRemovedLater() throws IOException {
    String name = ".flows-20260101T000000.000Z-p1-every.json.1f.tmp";
    Path left = Files.writeString(directory.resolve(name), "{");
    Files.setLastModifiedTime(left, FileTime.fromMillis(System.currentTimeMillis() - 7_200_000));
    Path fresh = Files.writeString(directory.resolve(name.replace("p1", "p2")), "{");
    new SnapshotFiles(directory, 3, 1 << 20, log::add).write(at(0), "every");
    assertThat(left).doesNotExist();
    assertThat(fresh).exists();
  }

  @Test
  void aDirectoryThatCannotBeMadeIsSaidOnceAndCounted() throws IOException {
    Path notADirectory = Files.writeString(directory.resolve("file"), "");
    SnapshotFiles files = new SnapshotFiles(notADirectory.resolve("x"), 3, 1 << 20, log::add);
    assertThat(files.write(at(0), "every")).isNull();
    assertThat(files.write(at(1), "every")).isNull();
    assertThat(log).hasSize(1);
    assertThat(log.get(0)).startsWith("no snapshot (every): ");
    Files.delete(notADirectory);
    assertThat(files.write(at(2), "every")).exists();
    assertThat(log.get(1)).isEqualTo("snapshots are written again; 2 could not be");
  }
}
