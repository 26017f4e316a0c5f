package org.buftrail.jfr.parquet;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** That others read what is packed is seen where DuckDB and PyArrow read a dataset. */
final class SnappyTest {
  private final Snappy snappy = new Snappy();

  private int assertComesBack(byte[] plain) throws DamagedParquetException {
    byte[] packed = snappy.pack(plain);
    assertThat(Snappy.unpack(packed, plain.length)).isEqualTo(plain);
    return packed.length;
  }

  @Test
  void whatIsPackedComesBack() throws Exception {
    Random random = new Random(46);
    for (int length = 0; length < 300; length++) {
      byte[] plain = new byte[length];
      assertComesBack(plain);
      random.nextBytes(plain);
      assertComesBack(plain);
    }
    // As far back as can be said, and farther; literals of all widths; copies of all lengths.
    for (int size : new int[] {61, 257, 65_534, 65_535, 65_536, 65_537, 1 << 20}) {
      byte[] plain = new byte[size];
      random.nextBytes(plain);
      assertThat(assertComesBack(plain)).isLessThan(size + size / 6 + 32);
      byte[] twice = Arrays.copyOf(plain, 2 * size);
      System.arraycopy(plain, 0, twice, size, size);
      assertComesBack(twice);
      for (int i = 0; i < size; i++) {
        plain[i] = (byte) (random.nextInt(50) == 0 ? random.nextInt() : i % 3);
      }
      assertComesBack(plain);
    }
  }

  @Test
  void whatRepeatsIsShort() throws Exception {
    assertThat(assertComesBack(new byte[1 << 16])).isLessThan(1 << 12);
    byte[] text = "org.buftrail.jfr.parquet".repeat(1_000).getBytes(StandardCharsets.US_ASCII);
    assertThat(assertComesBack(text)).isLessThan(text.length / 20 + 32);
  }

  /** As the format's description has them, which packs nothing so here. */
  @Test
  void copiesOfAllKindsAreRead() throws Exception {
    byte[] packed = {
      18, 3 << 2, 'a', 'b', 'c', 'd', 1, 4, (5 << 2) | 2, 2, 0, (3 << 2) | 3, 1, 0, 0, 0
    };
    assertThat(new String(Snappy.unpack(packed, 18), StandardCharsets.US_ASCII))
        .isEqualTo("abcdabcdcdcdcddddd");
    byte[] wide = {2, (byte) (63 << 2), 1, 0, 0, 0, 'a', 'b'};
    assertThat(Snappy.unpack(wide, 2)).containsExactly('a', 'b');
  }

  @Test
  void damageIsNamed() throws Exception {
    byte[] plain =
        "what a page has, and has again and again".repeat(20).getBytes(StandardCharsets.US_ASCII);
    byte[] packed = snappy.pack(plain);
    assertThatThrownBy(() -> Snappy.unpack(packed, plain.length + 1))
        .isInstanceOf(DamagedParquetException.class);
    assertThatThrownBy(() -> Snappy.unpack(packed, Integer.MAX_VALUE))
        .isInstanceOf(DamagedParquetException.class);
    assertThatThrownBy(() -> Snappy.unpack(packed, -1)).isInstanceOf(DamagedParquetException.class);
    for (int at = 0; at < packed.length; at++) {
      byte[] cut = Arrays.copyOf(packed, at);
      assertThatThrownBy(() -> Snappy.unpack(cut, plain.length))
          .isInstanceOf(DamagedParquetException.class);
      for (int bit = 0; bit < Byte.SIZE; bit++) {
        byte[] changed = packed.clone();
        changed[at] ^= (byte) (1 << bit);
        assertEndsWell(changed, plain.length);
      }
    }
  }

  private static void assertEndsWell(byte[] packed, int size) {
    try {
      assertThat(Snappy.unpack(packed, size)).hasSize(size);
    } catch (DamagedParquetException e) {
      assertThat(e).isNotNull();
    }
  }
}
