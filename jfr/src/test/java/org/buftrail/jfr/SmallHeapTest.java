package org.buftrail.jfr;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.concurrent.TimeUnit;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What is said of a recording that is packed for a larger heap than there is. */
final class SmallHeapTest {
  /** The largest size of a block. */
  private static final int BLOCK = 1 << 17;

  /** A window of 128 MiB. */
  private static final byte[] HEADER = {0x28, (byte) 0xb5, 0x2f, (byte) 0xfd, 0, (byte) (17 << 3)};

  @TempDir private Path directory;

  /** The recording as it is, then as many zeros as the window has. */
  private Path packed() throws IOException {
    byte[] recording = Files.readAllBytes(Recordings.unpack("jdk-50-10-100", directory));
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    out.write(HEADER);
    for (int at = 0; at < recording.length; at += BLOCK) {
      byte[] part = Arrays.copyOfRange(recording, at, Math.min(at + BLOCK, recording.length));
      block(out, 0, part.length, false, part);
    }
    for (int i = 1; i <= 1024; i++) {
      block(out, 1, BLOCK, i == 1024, (byte) 0);
    }
    return Files.write(directory.resolve("wide.jfr.zst"), out.toByteArray());
  }

  private static void block(
      ByteArrayOutputStream out, int form, int size, boolean isLast, byte... stored) {
    int header = size << 3 | form << 1 | (isLast ? 1 : 0);
    out.write(header);
    out.write(header >> 8);
    out.write(header >> 16);
    out.writeBytes(stored);
  }

  @Test
  void thatIsNoDamageOfTheRecording() throws Exception {
    assertThat(read(packed()))
        .startsWith("false true cannot be read: a Zstandard frame with a window of 134217728 bytes")
        .contains("has no room");
  }

  /** Else what is read of it would count for all of it. */
  @Test
  void norIsItOfAnArchiveThatHasOthers() throws Exception {
    Path archive = directory.resolve("pods.zip");
    try (ZipOutputStream out = new ZipOutputStream(Files.newOutputStream(archive))) {
      out.putNextEntry(new ZipEntry("a.jfr"));
      Files.copy(Recordings.unpack("jdk-50-10-100", directory), out);
      out.putNextEntry(new ZipEntry("b.jfr.zst"));
      Files.copy(packed(), out);
    }

    assertThat(read(archive)).startsWith("false true b.jfr.zst cannot be read: a Zstandard frame");
  }

  private String read(Path file) throws Exception {
    Path said = directory.resolve("said");
    Process child =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx60m",
                "-cp",
                System.getProperty("java.class.path"),
                Read.class.getName(),
                file.toString())
            .redirectError(ProcessBuilder.Redirect.INHERIT)
            .redirectOutput(said.toFile())
            .start();
    try {
      assertThat(child.waitFor(1, TimeUnit.MINUTES)).isTrue();
    } finally {
      child.destroyForcibly();
    }
    return Files.readString(said, StandardCharsets.UTF_8);
  }

  /** Says what became of a recording. */
  static final class Read {
    private Read() {}

    public static void main(String[] args) {
      try {
        RowReader reader = new RowReader(RowSelection.ALL, batch -> {});
        System.out.println(reader.read(Path.of(args[0])).damages());
      } catch (RecordingException e) {
        boolean isOfHeap = e.getCause() instanceof OutOfMemoryError;
        System.out.println(e.isOfTemporaryFile() + " " + isOfHeap + " " + e.reason());
      }
    }
  }
}
