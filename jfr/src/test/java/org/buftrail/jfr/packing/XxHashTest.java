package org.buftrail.jfr.packing;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.Random;
import net.jpountz.xxhash.XXHash32;
import net.jpountz.xxhash.XXHash64;
import net.jpountz.xxhash.XXHashFactory;
import org.junit.jupiter.api.Test;

/** Checksums are those that another implementation has, however the bytes are cut into pieces. */
final class XxHashTest {
  private static final XXHash32 OTHER_32 = XXHashFactory.safeInstance().hash32();
  private static final XXHash64 OTHER_64 = XXHashFactory.safeInstance().hash64();

  private static long hash(XxHash hash, byte[] bytes) {
    hash.reset();
    hash.update(bytes, 0, bytes.length);
    return hash.value();
  }

  private static byte[] ascii(String text) {
    return text.getBytes(StandardCharsets.US_ASCII);
  }

  @Test
  void knownTextsHaveTheirPublishedChecksums() {
    assertThat(hash(new XxHash32(), ascii(""))).isEqualTo(0x02CC5D05L);
    assertThat(hash(new XxHash32(), ascii("abc"))).isEqualTo(0x32D153FFL);
    assertThat(hash(new XxHash64(), ascii(""))).isEqualTo(0xEF46DB3751D8E999L);
    assertThat(hash(new XxHash64(), ascii("abc"))).isEqualTo(0x44BC2CF5AD770999L);
  }

  @Test
  void agreesWithAnotherImplementationAtEveryLengthAndInAnyPieces() {
    Random random = new Random(1);
    XxHash small = new XxHash32();
    XxHash large = new XxHash64();
    for (int length = 0; length < 300; length++) {
      byte[] bytes = new byte[length];
      random.nextBytes(bytes);
      small.reset();
      large.reset();
      for (int at = 0; at < length; ) {
        int size = Math.min(random.nextInt(70), length - at);
        small.update(bytes, at, size);
        large.update(bytes, at, size);
        at += size;
      }
      assertThat((int) small.value()).isEqualTo(OTHER_32.hash(bytes, 0, length, 0));
      assertThat(large.value()).isEqualTo(OTHER_64.hash(bytes, 0, length, 0));
    }
  }
}
