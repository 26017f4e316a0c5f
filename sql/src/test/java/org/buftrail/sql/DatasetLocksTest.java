package org.buftrail.sql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.ClosedFileSystemException;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The locks of datasets that are asked together are held together, or not at all. */
final class DatasetLocksTest {
  @TempDir private Path directory;

  private void assertFailsWith(Class<? extends Exception> failure, Path second) throws Exception {
    Path first = Files.createDirectories(directory.resolve("dataset"));
    assertThatThrownBy(() -> DatasetLocks.share(List.of(first, second))).isInstanceOf(failure);
    try (DatasetLock alone = DatasetLock.tryAlone(first)) {
      assertThat(alone).as("the first is released").isNotNull();
    }
  }

  @Test
  void noneIsHeldIfOneIsGone() throws Exception {
    assertFailsWith(NoSuchFileException.class, directory.resolve("gone"));
  }

  /** As of a directory that can be opened, and then not be listed. */
  @Test
  void noneIsHeldIfOneFailsUnchecked() throws Exception {
    Path closed;
    try (FileSystem zip =
        FileSystems.newFileSystem(directory.resolve("a.zip"), Map.of("create", "true"))) {
      closed = zip.getPath("dataset");
    }
    assertFailsWith(ClosedFileSystemException.class, closed);
  }
}
