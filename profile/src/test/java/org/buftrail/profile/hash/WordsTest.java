package org.buftrail.profile.hash;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Both ways of reading and putting eight bytes, which must not differ. */
final class WordsTest {
  private final byte[] bytes = new byte[64];
  private final ByteBuffer buffer = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);

  @Test
  void eightBytesAreOneNumberTheFirstLowest() {
    new Random(45).nextBytes(bytes);
    for (int at = 0; at <= bytes.length - Long.BYTES; at++) {
      assertThat(Words.get(bytes, at)).isEqualTo(buffer.getLong(at));
      assertThat(Words.shifted(bytes, at)).isEqualTo(buffer.getLong(at));
    }
  }

  @Test
  void aNumberIsPutAsEightBytes() {
    Random random = new Random(46);
    for (int at = 0; at <= bytes.length - Long.BYTES; at++) {
      long word = random.nextLong();
      Words.put(bytes, at, word);
      assertThat(buffer.getLong(at)).isEqualTo(word);
      long other = random.nextLong();
      Words.shift(bytes, at, other);
      assertThat(buffer.getLong(at)).isEqualTo(other);
    }
  }

  @Test
  void nothingIsReadBehindTheEnd() {
    assertThatThrownBy(() -> Words.get(bytes, bytes.length - 7))
        .isInstanceOf(IndexOutOfBoundsException.class);
    assertThatThrownBy(() -> Words.shifted(bytes, bytes.length - 7))
        .isInstanceOf(IndexOutOfBoundsException.class);
  }
}
