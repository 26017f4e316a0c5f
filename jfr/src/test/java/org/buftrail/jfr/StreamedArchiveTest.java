package org.buftrail.jfr;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.zip.GZIPOutputStream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Archives on standard input, which are read from their front. */
final class StreamedArchiveTest {
  private static final Path STANDARD_INPUT = Path.of("-");

  @TempDir private Path directory;

  private static Conversion convert(byte[] bytes) throws IOException {
    InputStream before = System.in;
    try {
      System.setIn(new ByteArrayInputStream(bytes));
      return new Converter(Options.DEFAULT).convert(Recording.matching(List.of(STANDARD_INPUT)));
    } finally {
      System.setIn(before);
    }
  }

  @Test
  void aPackedEntryThatIsDamagedHidesNoOther() throws IOException {
    byte[] recording = Files.readAllBytes(Recordings.unpack("jdk-50-10-100", directory));
    ByteArrayOutputStream packed = new ByteArrayOutputStream();
    try (GZIPOutputStream gzip = new GZIPOutputStream(packed)) {
      gzip.write(recording);
    }
    byte[] damaged = packed.toByteArray();
    damaged[damaged.length / 2] ^= 0x55;
    byte[] noGzip = "\u001f\u008bno".getBytes(StandardCharsets.ISO_8859_1);
    ByteArrayOutputStream archive = new ByteArrayOutputStream();
    try (ZipOutputStream zip = new ZipOutputStream(archive)) {
      zip.putNextEntry(new ZipEntry("a.jfr.gz"));
      zip.write(damaged);
      zip.putNextEntry(new ZipEntry("b.jfr.gz"));
      zip.write(noGzip);
      zip.putNextEntry(new ZipEntry("c.jfr"));
      zip.write(recording);
    }
    Conversion conversion = convert(archive.toByteArray());
    assertThat(conversion.profiles().profiles().get(0).total()).isGreaterThanOrEqualTo(50);
    assertThat(conversion.damages())
        .map(Damage::toString)
        .anyMatch(damage -> damage.startsWith("-: a.jfr.gz cannot be unpacked to its end: "))
        .anyMatch(damage -> damage.startsWith("-: b.jfr.gz cannot be read: "));
  }
}
