package org.buftrail.jfr;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** What is said of recordings whose copies do not fit, in a JVM that may not write large files. */
@DisabledOnOs(OS.WINDOWS)
final class TemporarySpaceTest {
  /** In blocks of 512 bytes: more than the smallest recording, and less than the largest. */
  private static final int MOST_BLOCKS = 1000;

  @TempDir private Path directory;

  private Path archive(String name, byte[]... recordings) throws IOException {
    Path file = directory.resolve(name);
    try (OutputStream out = Files.newOutputStream(file);
        ZipOutputStream zip = new ZipOutputStream(out)) {
      for (int i = 0; i < recordings.length; i++) {
        zip.putNextEntry(new ZipEntry(i + ".jfr"));
        zip.write(recordings[i]);
      }
    }
    return file;
  }

  @Test
  void ofAnArchiveThatIsNoDamage() throws Exception {
    byte[] small = Files.readAllBytes(Recordings.unpack("jdk-50-10-100", directory));
    byte[] large = Files.readAllBytes(Recordings.unpack("jdk11", directory));
    byte[] none = "no recording".getBytes(StandardCharsets.UTF_8);
    Path said = directory.resolve("said");

    Process child =
        new ProcessBuilder(
                "sh",
                "-c",
                "ulimit -f " + MOST_BLOCKS + "; exec \"$@\"",
                "sh",
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-cp",
                System.getProperty("java.class.path"),
                Read.class.getName(),
                archive("small.zip", small).toString(),
                archive("both.zip", small, large).toString(),
                archive("none.zip", none, large).toString())
            .redirectError(ProcessBuilder.Redirect.INHERIT)
            .redirectOutput(said.toFile())
            .start();
    assertThat(child.waitFor(1, TimeUnit.MINUTES)).isTrue();

    List<String> lines = Files.readAllLines(said);
    assertThat(lines).hasSize(3).first().isEqualTo("[]");
    assertThat(lines.subList(1, 3))
        .allSatisfy(
            line -> assertThat(line).startsWith("true cannot be copied to a temporary file in "));
  }

  /** Says what became of each recording. */
  static final class Read {
    private Read() {}

    public static void main(String[] args) {
      RowReader reader = new RowReader(RowSelection.ALL, batch -> {});
      for (String file : args) {
        try {
          System.out.println(reader.read(Path.of(file)).damages());
        } catch (RecordingException e) {
          System.out.println(e.isOfTemporaryFile() + " " + e.reason());
        }
      }
    }
  }
}
