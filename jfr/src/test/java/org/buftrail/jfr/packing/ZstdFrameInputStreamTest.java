package org.buftrail.jfr.packing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.airlift.compress.zstd.ZstdOutputStream;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.Arrays;
import java.util.Objects;
import java.util.Random;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Frames of the reference encoder (zstd 1.5, at several levels) and of another one give what went
 * into them; others end in one exception.
 */
final class ZstdFrameInputStreamTest {
  private static byte[] resource(String name) throws IOException {
    try (InputStream in = ZstdFrameInputStreamTest.class.getResourceAsStream(name)) {
      return Objects.requireNonNull(in, name).readAllBytes();
    }
  }

  private static byte[] plain() throws IOException {
    byte[] packed = resource("/recordings/jdk-50-10-100.jfr.gz");
    return new GZIPInputStream(new ByteArrayInputStream(packed)).readAllBytes();
  }

  private static byte[] unpack(byte[] packed) throws IOException {
    return new ZstdFrameInputStream(new ByteArrayInputStream(packed)).readAllBytes();
  }

  private static byte[] pack(byte[] plain) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (ZstdOutputStream out = new ZstdOutputStream(bytes)) {
      out.write(plain);
    }
    return bytes.toByteArray();
  }

  @ParameterizedTest
  @ValueSource(strings = {"fast", "1", "7", "19", "22"})
  void unpacksWhatTheReferenceEncoderWrites(String level) throws IOException {
    assertThat(unpack(resource("/packed/recording-" + level + ".zst"))).isEqualTo(plain());
  }

  /** Around the size of a block, and beyond the window of 2 MiB that the encoder has by itself. */
  @ParameterizedTest
  @ValueSource(ints = {0, 1, 100, 131_071, 131_073, 2_500_000})
  void unpacksContentsOfEveryLength(int length) throws IOException {
    Random random = new Random(length);
    byte[] noise = new byte[length];
    random.nextBytes(noise);
    byte[] words = new byte[length];
    for (int i = 0; i < length; i++) {
      words[i] = (byte) "etaoin shrdlu".charAt(random.nextInt(4) + random.nextInt(9));
    }
    byte[] same = new byte[length];
    Arrays.fill(same, (byte) 'x');
    for (byte[] content : new byte[][] {noise, words, same}) {
      assertThat(unpack(pack(content))).isEqualTo(content);
    }
  }

  @Test
  void readsFramesOneAfterTheOtherAndSkipsThoseOfUsers() throws IOException {
    byte[] frame = resource("/packed/recording-7.zst");
    ByteArrayOutputStream all = new ByteArrayOutputStream();
    all.write(frame);
    all.write(new byte[] {0x53, 0x2a, 0x4d, 0x18, 2, 0, 0, 0, 9, 9});
    all.write(frame);
    byte[] plain = plain();
    byte[] unpacked = unpack(all.toByteArray());
    assertThat(unpacked).hasSize(2 * plain.length).startsWith(plain).endsWith(plain);
  }

  @ParameterizedTest
  @ValueSource(strings = {"fast", "19"})
  void damageEndsInOneKindOfException(String level) throws IOException {
    byte[] whole = resource("/packed/recording-" + level + ".zst");
    Random random = new Random(1);
    for (int i = 0; i < 3_000; i++) {
      byte[] damaged = Arrays.copyOf(whole, 1 + random.nextInt(whole.length));
      damaged[random.nextInt(damaged.length)] ^= (byte) (1 << random.nextInt(8));
      try {
        assertThat(unpack(damaged)).hasSizeLessThan(64 << 20);
      } catch (IOException e) {
        assertThat(e).hasMessageContaining("Zstandard");
      }
    }
  }

  @Test
  void refusesWhatWouldTakeTooMuchMemory() {
    byte[] header = {0x28, (byte) 0xb5, 0x2f, (byte) 0xfd, 0, (byte) (20 << 3), 0, 0, 0};
    assertThatThrownBy(() -> unpack(header))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("a window of 1073741824 bytes; at most 134217728 are supported");
  }

  @Test
  void refusesFramesThatNeedADictionary() {
    byte[] header = {0x28, (byte) 0xb5, 0x2f, (byte) 0xfd, 1, 0, 7};
    assertThatThrownBy(() -> unpack(header)).hasMessageContaining("needs a dictionary");
  }
}
