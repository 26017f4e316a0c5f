package org.buftrail.jfr.packing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.airlift.compress.zstd.ZstdOutputStream;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.Random;
import net.jpountz.lz4.LZ4FrameOutputStream;
import org.junit.jupiter.api.Test;

/** A changed bit does not pass unnoticed, and does not hide what can be unpacked. */
final class ChecksumTest {
  private static final int LENGTH = 1 << 18;

  /** Bytes that do not get smaller: a changed bit changes one of them, and nothing else. */
  private static byte[] noise() {
    byte[] noise = new byte[LENGTH];
    new Random(1).nextBytes(noise);
    return noise;
  }

  private static byte[] zstd(byte[] plain) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (OutputStream out = new ZstdOutputStream(bytes)) {
      out.write(plain);
    }
    return bytes.toByteArray();
  }

  private static byte[] lz4(byte[] plain, LZ4FrameOutputStream.FLG.Bits checksum)
      throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (OutputStream out =
        new LZ4FrameOutputStream(
            bytes,
            LZ4FrameOutputStream.BLOCKSIZE.SIZE_64KB,
            LZ4FrameOutputStream.FLG.Bits.BLOCK_INDEPENDENCE,
            checksum)) {
      out.write(plain);
    }
    return bytes.toByteArray();
  }

  /** Everything comes out, and then the exception. */
  private static void assertNamed(InputStream stream, int before, String message)
      throws IOException {
    assertThat(stream.readNBytes(before)).hasSize(before);
    assertThatThrownBy(stream::read).isInstanceOf(IOException.class).hasMessage(message);
    assertThatThrownBy(stream::read).hasMessage(message);
  }

  @Test
  void namesAChangedBitOfZstandard() throws IOException {
    byte[] packed = zstd(noise());
    packed[packed.length / 3] ^= 8;
    InputStream stream = new ZstdFrameInputStream(new ByteArrayInputStream(packed));
    assertNamed(stream, LENGTH, "Zstandard content does not match its checksum");
  }

  @Test
  void namesAChangedBitOfLz4() throws IOException {
    byte[] packed = lz4(noise(), LZ4FrameOutputStream.FLG.Bits.CONTENT_CHECKSUM);
    packed[packed.length / 3] ^= 8;
    InputStream stream = new Lz4FrameInputStream(new ByteArrayInputStream(packed));
    assertNamed(stream, LENGTH, "LZ4 content does not match its checksum");
    packed = lz4(noise(), LZ4FrameOutputStream.FLG.Bits.BLOCK_CHECKSUM);
    packed[packed.length / 3] ^= 8;
    stream = new Lz4FrameInputStream(new ByteArrayInputStream(packed));
    assertNamed(stream, LENGTH, "LZ4 block does not match its checksum");
  }

  @Test
  void namesAChangedBitOfALz4Header() throws IOException {
    byte[] packed = lz4(noise(), LZ4FrameOutputStream.FLG.Bits.CONTENT_CHECKSUM);
    // A larger block than the frame has: all can be unpacked.
    packed[5] ^= 0x10;
    InputStream stream = new Lz4FrameInputStream(new ByteArrayInputStream(packed));
    assertNamed(stream, LENGTH, "LZ4 header does not match its checksum");
  }

  @Test
  void whatLiesBehindAFrameThatDoesNotMatchIsRead() throws IOException {
    byte[] packed = zstd(noise());
    ByteArrayOutputStream both = new ByteArrayOutputStream();
    packed[packed.length / 3] ^= 8;
    both.write(packed);
    both.write(zstd(noise()));
    InputStream stream = new ZstdFrameInputStream(new ByteArrayInputStream(both.toByteArray()));
    assertNamed(stream, 2 * LENGTH, "Zstandard content does not match its checksum");
  }
}
