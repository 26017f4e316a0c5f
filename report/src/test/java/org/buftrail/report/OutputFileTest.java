package org.buftrail.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.FileSystem;
import java.nio.file.FileSystemException;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;
import org.buftrail.profile.output.ProfileFormat;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class OutputFileTest {
  private static final int NOBODY = 65_534;

  @TempDir private Path directory = Path.of("");

  private static void write(Path file) throws IOException {
    try (OutputFile output = OutputFile.at(file)) {
      try (OutputStream out = output.open()) {
        out.write('x');
      }
      output.commit();
    }
  }

  private static String mode(Path file) throws IOException {
    return PosixFilePermissions.toString(Files.getPosixFilePermissions(file));
  }

  private static void mode(Path file, String mode) throws IOException {
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString(mode));
  }

  @Test
  void aNewFileIsForItsOwnerAlone() throws IOException {
    Path file = directory.resolve("new");
    write(file);
    assertThat(mode(file)).isEqualTo("rw-------");
    Path below = directory.resolve("a/b");
    OutputFile.createDirectories(below);
    assertThat(mode(below)).isEqualTo("rwx------");
    assertThat(mode(directory.resolve("a"))).isEqualTo("rwx------");
  }

  @Test
  void aFileThatIsReplacedLeavesItsMode() throws IOException {
    for (String mode : List.of("rw-r-----", "rw-------", "rw-rw-rw-", "r--r--r--")) {
      Path file = Files.writeString(directory.resolve(mode), "old");
      mode(file, mode);
      write(file);
      assertThat(mode(file)).isEqualTo(mode);
      assertThat(file).hasContent("x");
    }
  }

  @Test
  void whatIsNotCommittedIsGone() throws IOException {
    Path file = Files.writeString(directory.resolve("file"), "old");
    try (OutputFile output = OutputFile.at(file);
        OutputStream out = output.open()) {
      out.write('x');
    }
    assertThat(file).hasContent("old");
    try (Stream<Path> files = Files.list(directory)) {
      assertThat(files).containsExactly(file);
    }
  }

  @Test
  void anInterruptDoesNotDisturbTheWriting() throws IOException {
    Path file = directory.resolve("file");
    Thread.currentThread().interrupt();
    try {
      write(file);
      assertThat(Thread.currentThread().isInterrupted()).isTrue();
    } finally {
      Thread.interrupted();
    }
    assertThat(file).hasContent("x");
  }

  @Test
  void linksAreFollowedStepByStep() throws IOException {
    Path real = Files.createDirectories(directory.resolve("real/deep"));
    Files.createSymbolicLink(directory.resolve("way"), Path.of("real", ".", "deep", "..", "deep"));
    Files.createSymbolicLink(real.resolve("to"), directory.resolve("way/end"));
    assertThat(Links.resolve(directory.resolve("way/to"))).isEqualTo(real.resolve("end"));
    Files.createSymbolicLink(directory.resolve("round"), directory.resolve("round"));
    assertThatThrownBy(() -> Links.resolve(directory.resolve("round")))
        .isInstanceOf(FileSystemException.class)
        .hasMessageContaining("too many links");
  }

  /** Only where another owner can be set, that is as root. */
  @Test
  void aLinkThatAnotherUserPlantedIsNotFollowed() throws IOException {
    Path sticky = Files.createDirectory(directory.resolve("sticky"));
    Path victim = Files.writeString(directory.resolve("victim"), "precious");
    Path link = Files.createSymbolicLink(sticky.resolve("flows.json"), victim);
    boolean planted = give(link);
    write(link);
    assertThat(victim).as("not sticky").hasContent("x");
    Files.setAttribute(sticky, "unix:mode", 01777);
    Files.writeString(victim, "precious");
    if (planted) {
      assertThatThrownBy(() -> write(link))
          .isInstanceOf(FileSystemException.class)
          .hasMessageContaining("is another user's, in a directory that everybody may write to");
      assertThat(victim).hasContent("precious");
      assertThatThrownBy(() -> write(link.resolve("below")))
          .isInstanceOf(FileSystemException.class);
    } else {
      write(link);
      assertThat(victim).as("one's own link").hasContent("x");
    }
  }

  private static boolean give(Path link) {
    try {
      Files.setAttribute(link, "unix:uid", NOBODY, LinkOption.NOFOLLOW_LINKS);
      return true;
    } catch (IOException e) {
      return false;
    }
  }

  /** As on Windows, or in an archive. */
  @Test
  void aFileSystemWithoutModesWorks() throws IOException {
    try (FileSystem archive =
        FileSystems.newFileSystem(directory.resolve("a.zip"), Map.of("create", "true"))) {
      Path file = archive.getPath("/below/file");
      OutputFile.createDirectories(Objects.requireNonNull(file.getParent()));
      write(file);
      write(file);
      assertThat(Files.readString(file)).isEqualTo("x");
    }
  }

  @Test
  void saysBeforehandWhatWouldGoWrong() throws IOException {
    assertThat(OutputFile.problem(directory.resolve("file"))).isNull();
    assertThat(OutputFile.problem(directory.resolve("no/file")))
        .isEqualTo("there is no directory " + directory.resolve("no"));
    assertThat(OutputFile.problem(directory)).isEqualTo("it is a directory; name a file in it");
    Path file = Files.writeString(directory.resolve("f"), "");
    assertThat(OutputFile.problem(file.resolve("below")))
        .isEqualTo("there is no directory " + file);
    assertThat(Reports.problem(directory.resolve("flows.xml")))
        .isEqualTo("the name must end in one of " + ProfileFormat.allEndings());
    assertThat(Reports.problem(directory.resolve("flows.html"))).isNull();
  }
}
