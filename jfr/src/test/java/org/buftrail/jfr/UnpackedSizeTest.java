package org.buftrail.jfr;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.zip.Deflater;
import java.util.zip.GZIPOutputStream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** How much is unpacked of what somebody packed, perhaps to fill a disk. */
final class UnpackedSizeTest {
  private static final int MEBIBYTE = 1 << 20;

  @TempDir private Path directory;
  private byte[] recording;

  @BeforeEach
  void read() throws IOException {
    recording = Files.readAllBytes(Recordings.unpack("jdk-50-10-100", directory));
  }

  private Path gzip(byte[] first, long zeros) throws IOException {
    Path file = directory.resolve("packed");
    try (OutputStream target = new GZIPOutputStream(Files.newOutputStream(file))) {
      target.write(first);
      byte[] some = new byte[MEBIBYTE];
      for (long left = zeros; left > 0; left -= some.length) {
        target.write(some, 0, (int) Math.min(left, some.length));
      }
    }
    return file;
  }

  private static Conversion convert(Path file, Options options) throws RecordingException {
    return new Converter(options).convert(List.of(file));
  }

  @Test
  void asMuchAsTheOptionSaysIsUnpackedAndNoMore() throws IOException {
    Path packed = gzip(recording, 0);
    Conversion all = convert(packed, Options.DEFAULT.mostUnpacked(recording.length));
    assertThat(all.profiles().profiles().get(0).total()).isEqualTo(50);
    assertThat(all.damages()).isEmpty();
    long less = recording.length - 1L;
    assertThatThrownBy(() -> convert(packed, Options.DEFAULT.mostUnpacked(less)))
        .isInstanceOf(RecordingException.class)
        .hasMessage(packed + ": is more than " + less + " bytes unpacked, which is the limit");
  }

  @Test
  void theOptionIsOfWhatIsPackedAlone() throws IOException {
    Path plain = directory.resolve("plain");
    Files.write(plain, recording);
    assertThat(convert(plain, Options.DEFAULT.mostUnpacked(1)).damages()).isEmpty();
  }

  @Test
  void whatIsNoRecordingIsNotUnpackedToItsEnd() throws IOException {
    Path packed = gzip(new byte[0], 64L * MEBIBYTE);
    assertThatThrownBy(() -> convert(packed, Options.DEFAULT.mostUnpacked(2 * MEBIBYTE)))
        .isInstanceOf(RecordingException.class)
        .hasMessage(packed + ": not a flight recording");
  }

  @Test
  void whatIsPackedAsNoRecordingIsIsRefused() throws IOException {
    Path packed = gzip(recording, 300L * MEBIBYTE);
    assertThat(Files.size(packed)).isLessThan(MEBIBYTE);
    assertThatThrownBy(() -> convert(packed, Options.DEFAULT))
        .isInstanceOf(RecordingException.class)
        .hasMessageMatching(".*: is packed as no recording is: 2684\\d{5} bytes in \\d{6}");
  }

  /** One stretch of the file under two names, each of which would be unpacked. */
  @Test
  void entriesThatOverlapAreRefused() throws IOException {
    Path file = directory.resolve("overlapping.zip");
    byte[] zip = archiveOf(recording);
    ByteBuffer end = ByteBuffer.wrap(zip, zip.length - 22, 22).order(ByteOrder.LITTLE_ENDIAN);
    int size = end.getInt(zip.length - 22 + 12);
    int start = end.getInt(zip.length - 22 + 16);
    ByteArrayOutputStream twice = new ByteArrayOutputStream();
    twice.write(zip, 0, start + size);
    twice.write(zip, start, size);
    ByteBuffer last = ByteBuffer.allocate(22).order(ByteOrder.LITTLE_ENDIAN);
    last.putInt(0x06054b50).putInt(0).putShort((short) 2).putShort((short) 2);
    last.putInt(2 * size).putInt(start);
    twice.write(last.array());
    Files.write(file, zip);
    assertThat(convert(file, Options.DEFAULT).profiles().profiles().get(0).total()).isEqualTo(50);
    Files.write(file, twice.toByteArray());
    assertThatThrownBy(() -> convert(file, Options.DEFAULT))
        .isInstanceOf(RecordingException.class)
        .hasMessage(file + ": entries of this archive overlap");
  }

  private static byte[] archiveOf(byte[] content) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (ZipOutputStream zip = new ZipOutputStream(bytes)) {
      zip.setLevel(Deflater.NO_COMPRESSION);
      zip.putNextEntry(new ZipEntry("a.jfr"));
      zip.write(content);
    }
    return bytes.toByteArray();
  }
}
