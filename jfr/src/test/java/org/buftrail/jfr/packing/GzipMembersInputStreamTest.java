package org.buftrail.jfr.packing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.Random;
import java.util.zip.CRC32;
import java.util.zip.GZIPInputStream;
import java.util.zip.GZIPOutputStream;
import java.util.zip.ZipException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class GzipMembersInputStreamTest {
  private static byte[] pack(byte[] bytes) throws IOException {
    ByteArrayOutputStream packed = new ByteArrayOutputStream();
    try (GZIPOutputStream gzip = new GZIPOutputStream(packed)) {
      gzip.write(bytes);
    }
    return packed.toByteArray();
  }

  private static byte[] concat(byte[]... parts) {
    ByteArrayOutputStream all = new ByteArrayOutputStream();
    for (byte[] part : parts) {
      all.writeBytes(part);
    }
    return all.toByteArray();
  }

  /** A stream that hands out little at a time, as a pipe does. */
  private static InputStream slow(byte[] bytes, int most) {
    return new ByteArrayInputStream(bytes) {
      @Override
      public int read(byte[] target, int offset, int length) {
        return super.read(target, offset, Math.min(most, length));
      }
    };
  }

  private static byte[] unpack(byte[] packed) throws IOException {
    try (InputStream in = new GzipMembersInputStream(new ByteArrayInputStream(packed))) {
      return in.readAllBytes();
    }
  }

  private static byte[] noise(int length) {
    byte[] bytes = new byte[length];
    new Random(length).nextBytes(bytes);
    Arrays.fill(bytes, 0, length / 2, (byte) 7);
    return bytes;
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 3, 1000, 1 << 20})
  void unpacksMembersAsTheJdkDoes(int most) throws IOException {
    byte[] first = noise(200_000);
    byte[] second = noise(70_001);
    byte[] packed = concat(pack(first), pack(new byte[0]), pack(second), new byte[5000]);
    try (InputStream in = new GzipMembersInputStream(slow(packed, most))) {
      assertThat(in.readAllBytes()).isEqualTo(concat(first, second));
      assertThat(in.read()).isEqualTo(-1);
    }
    try (InputStream in = new GZIPInputStream(new ByteArrayInputStream(packed))) {
      assertThat(in.readAllBytes()).isEqualTo(concat(first, second));
    }
  }

  @Test
  void readsAllThatAHeaderMayHold() throws IOException {
    byte[] plain = pack(noise(100));
    byte[] header = HexFormat.of().parseHex("1f8b081e000000000003" + "03006162" + "63");
    byte[] texts = HexFormat.of().parseHex("6e616d6500" + "00");
    byte[] before = concat(header, texts);
    CRC32 checksum = new CRC32();
    checksum.update(before);
    long sum = checksum.getValue();
    byte[] rest = Arrays.copyOfRange(plain, 10, plain.length);
    byte[] whole = concat(before, new byte[] {(byte) sum, (byte) (sum >>> 8)}, rest);
    assertThat(unpack(whole)).isEqualTo(noise(100));
    whole[before.length] ^= 1;
    assertThatThrownBy(() -> unpack(whole)).hasMessage("its header does not match its checksum");
  }

  @ParameterizedTest
  @ValueSource(strings = {"6e6f", "1f8c08", "0000006e", "1f8b07"})
  void whatFollowsAndIsNoMemberIsNoEnd(String hex) throws IOException {
    byte[] bytes = noise(3000);
    byte[] packed = concat(pack(bytes), HexFormat.of().parseHex(hex));
    try (InputStream in = new GzipMembersInputStream(new ByteArrayInputStream(packed))) {
      assertThat(in.readNBytes(3000)).isEqualTo(bytes);
      assertThatThrownBy(in::read).isInstanceOf(ZipException.class).hasMessageContaining("gzip");
    }
  }

  private static boolean failsOrIs(byte[] packed, byte[] bytes) {
    try {
      return Arrays.equals(unpack(packed), bytes);
    } catch (IOException e) {
      return true;
    }
  }

  @Test
  void everyFlippedBitAndEveryCutIsFound() throws IOException {
    byte[] bytes = noise(500);
    byte[] packed = pack(bytes);
    for (int length = 0; length < packed.length; length++) {
      byte[] cut = Arrays.copyOf(packed, length);
      assertThatThrownBy(() -> unpack(cut)).isInstanceOf(EOFException.class);
    }
    for (int bit = 80; bit < 8 * packed.length; bit++) {
      byte[] flipped = packed.clone();
      flipped[bit / 8] ^= (byte) (1 << bit % 8);
      // Some bits of packed data mean nothing, the last for instance.
      assertThat(failsOrIs(flipped, bytes)).as("bit %d", bit).isTrue();
    }
  }
}
