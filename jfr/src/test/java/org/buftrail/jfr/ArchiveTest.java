package org.buftrail.jfr;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.buftrail.jfr.PackedInputs.damages;
import static org.buftrail.jfr.PackedInputs.pack;
import static org.buftrail.jfr.PackedInputs.samples;
import static org.buftrail.jfr.PackedInputs.throughStandardInput;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.zip.CRC32;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import org.buftrail.profile.Kind;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The recordings of a zip archive give what the plain files give. */
final class ArchiveTest {
  private Path directory;
  private Path plain;

  @BeforeEach
  void unpack(@TempDir Path temporary) throws IOException {
    directory = temporary;
    plain = Recordings.unpack("jdk-50-10-100", temporary);
  }

  @Test
  void readsEveryRecordingOfAnArchive() throws IOException {
    Path packed = directory.resolve("recordings.zip");
    try (ZipOutputStream zip = new ZipOutputStream(Files.newOutputStream(packed))) {
      for (String entry : List.of("a.jfr", "readme.txt", "b/c.jfr")) {
        zip.putNextEntry(new ZipEntry(entry));
        Files.copy(plain, zip);
      }
    }
    assertThat(samples(packed)).isEqualTo(100);
  }

  /** An archive of the recording, twice as it is and once packed, and of a larger one between. */
  private byte[] archive(int method) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    byte[] larger = Files.readAllBytes(Recordings.unpack("jdk11", directory));
    byte[] content = Files.readAllBytes(plain);
    ByteArrayOutputStream gzip = new ByteArrayOutputStream();
    try (OutputStream target = pack("gz", gzip)) {
      target.write(content);
    }
    try (ZipOutputStream zip = new ZipOutputStream(bytes)) {
      put(zip, method, "a.jfr", content);
      put(zip, method, "larger.jfr", larger);
      put(zip, method, "b.jfr", content);
      put(zip, method, "c.jfr.gz", gzip.toByteArray());
    }
    return bytes.toByteArray();
  }

  private static void put(ZipOutputStream zip, int method, String name, byte[] content)
      throws IOException {
    ZipEntry entry = new ZipEntry(name);
    CRC32 checksum = new CRC32();
    checksum.update(content);
    entry.setMethod(method);
    entry.setSize(content.length);
    entry.setCrc(checksum.getValue());
    zip.putNextEntry(entry);
    zip.write(content);
  }

  @ParameterizedTest
  @ValueSource(ints = {ZipEntry.STORED, ZipEntry.DEFLATED})
  void aDamagedEntryDoesNotHideTheOthers(int method) throws IOException {
    byte[] bytes = archive(method);
    // In the larger one.
    bytes[bytes.length / 2] ^= 1;
    Path packed = Files.write(directory.resolve("recordings.zip"), bytes);
    Options wanted = Options.DEFAULT.kinds(EnumSet.of(Kind.CPU));
    Conversion conversion = new Converter(wanted).convert(Recording.matching(List.of(packed)));
    assertThat(damages(conversion, packed))
        .singleElement()
        .asString()
        .startsWith("larger.jfr cannot be unpacked to its end: ");
    assertThat(conversion.profiles().profiles().get(0).total()).isGreaterThanOrEqualTo(150);
    throughStandardInput(
        bytes,
        () -> {
          Path input = Path.of("-");
          Conversion streamed = new Converter(wanted).convert(Recording.matching(List.of(input)));
          assertThat(damages(streamed, input))
              .singleElement()
              .asString()
              .startsWith("larger.jfr cannot be unpacked to its end, nor can what follows it: ");
        });
  }

  @ParameterizedTest
  @ValueSource(ints = {ZipEntry.STORED, ZipEntry.DEFLATED})
  void salvagesAnArchiveThatEndsEarly(int method) throws IOException {
    byte[] bytes = archive(method);
    Path cut = Files.write(directory.resolve("cut.zip"), Arrays.copyOf(bytes, bytes.length / 2));
    Conversion conversion =
        new Converter(Options.DEFAULT).convert(Recording.matching(List.of(cut)));
    assertThat(conversion.profiles().profiles().get(0).total()).isGreaterThanOrEqualTo(50);
    assertThat(damages(conversion, cut))
        .containsExactly(
            "the archive has no directory at its end: there may be recordings missing",
            "larger.jfr cannot be unpacked to its end, nor can what follows it: it ends early");
  }

  @Test
  void namesWhatAnArchiveHoldsThatIsNotSupported() throws IOException {
    byte[] legacy = {2, 0x21, 0x4c, 0x18, 1, 0, 0, 0, 0};
    Path packed = directory.resolve("recordings.zip");
    try (ZipOutputStream zip = new ZipOutputStream(Files.newOutputStream(packed))) {
      put(zip, ZipEntry.DEFLATED, "a.jfr.lz4", legacy);
      put(zip, ZipEntry.DEFLATED, "b.jfr.zip", archive(ZipEntry.DEFLATED));
      put(zip, ZipEntry.DEFLATED, "c.jfr", Files.readAllBytes(plain));
    }
    Conversion conversion =
        new Converter(Options.DEFAULT).convert(Recording.matching(List.of(packed)));
    assertThat(conversion.profiles().profiles().get(0).total()).isEqualTo(50);
    assertThat(damages(conversion, packed))
        .containsExactly(
            "a.jfr.lz4 is packed in the legacy format of lz4, which is not supported",
            "b.jfr.zip is an archive within an archive, which is not supported");
    Path alone = Files.write(directory.resolve("old.lz4"), legacy);
    assertThatThrownBy(() -> samples(alone))
        .hasMessage(alone + ": is packed in the legacy format of lz4, which is not supported");
  }

  @Test
  void anEntryThatIsNoRecordingDoesNotHideTheOthers() throws IOException {
    Path packed = directory.resolve("recordings.zip");
    try (ZipOutputStream zip = new ZipOutputStream(Files.newOutputStream(packed))) {
      zip.putNextEntry(new ZipEntry("a.jfr"));
      zip.write("these are notes".getBytes(StandardCharsets.UTF_8));
      zip.putNextEntry(new ZipEntry("b.jfr"));
      Files.copy(plain, zip);
    }
    Conversion conversion =
        new Converter(Options.DEFAULT).convert(Recording.matching(List.of(packed)));
    assertThat(conversion.profiles().profiles().get(0).total()).isEqualTo(50);
    assertThat(conversion.damages())
        .singleElement()
        .hasToString(packed + ": not a flight recording");
  }
}
