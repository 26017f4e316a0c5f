package org.buftrail.report;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Locale;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class WordingTest {
  @ParameterizedTest
  @CsvSource({
    "0, 0 B",
    "1023, 1023 B",
    "1024, 1.0 KiB",
    "1843, 1.8 KiB",
    "1048575, 1.0 MiB",
    "1048576, 1.0 MiB",
    "9223372036854775807, 8.0 EiB"
  })
  void bytes(long bytes, String text) {
    assertThat(Wording.bytes(bytes)).isEqualTo(text);
  }

  @ParameterizedTest
  @CsvSource({
    "0, 0 ms",
    "999, 999 ms",
    "1000, 1.0 s",
    "59_900, 59.9 s",
    "59_999, 59.9 s",
    "60000, 1 min 0 s",
    "3599999, 59 min 59 s",
    "3600000, 1 h 0 min",
    "86399999, 23 h 59 min",
    "86400000, 1 d 0 h"
  })
  void ages(String millis, String text) {
    assertThat(Wording.age(Long.parseLong(millis.replace("_", "")))).isEqualTo(text);
  }

  @Test
  void figuresAreTheFormattersOwn() {
    Random random = new Random(24);
    for (int i = 0; i < 20_000; i++) {
      long whole = random.nextLong() >>> (1 + random.nextInt(62));
      long part = (long) (random.nextDouble() * whole);
      String count = String.format(Locale.ROOT, "%,d", -part);
      assertThat(Wording.count(-part)).isEqualTo(count);
      String share = String.format(Locale.ROOT, "%.1f %%", whole == 0 ? 0 : 100.0 * part / whole);
      assertThat(Wording.share(part, whole)).isEqualTo(share);
      String columns = String.format("%-9s|%9s", count, share);
      assertThat(Wording.left(count, 9) + "|" + Wording.right(share, 9)).isEqualTo(columns);
    }
    for (long n : new long[] {0, 999, 1000, -999, -1000, Long.MAX_VALUE, Long.MIN_VALUE}) {
      assertThat(Wording.count(n)).isEqualTo(String.format(Locale.ROOT, "%,d", n));
    }
  }
}
