package org.buftrail.jfr;

import static org.assertj.core.api.Assertions.assertThat;

import org.buftrail.jfr.process.Period;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class PeriodTest {
  @ParameterizedTest
  @CsvSource({
    "20 ms, 20000000",
    "10ms, 10000000",
    "1000000, 1000000",
    "7 us, 7000",
    "2s, 2000000000",
    "1 m, 60000000000",
    "1 h, 3600000000000",
    "2 d, 172800000000000",
    "512k, 524288",
    "5 b, 5",
    "5 ns, 5",
    "'5 ', 5",
    "'5  ms', 0",
    "5 weeks, 0",
    "ms, 0",
    "'', 0",
    "-5 ms, 0",
    "everyChunk, 0",
    "٢٠ ms, 0",
    "999999999999999999 d, 0",
    "1234567890123456789, 0",
  })
  void aPeriodIsANumberAndPerhapsAUnit(String text, long value) {
    assertThat(Period.parse(text)).isEqualTo(value);
  }
}
