package org.buftrail.jfr;

import static org.assertj.core.api.Assertions.assertThat;

import java.math.BigInteger;
import java.util.ArrayList;
import java.util.List;
import org.buftrail.jfr.table.SaturatingMath;
import org.junit.jupiter.api.Test;

/** Amounts at the ends of their range, against arithmetic that has none. */
final class SaturatingMathTest {
  private static final BigInteger LEAST = BigInteger.valueOf(Long.MIN_VALUE);
  private static final BigInteger MOST = BigInteger.valueOf(Long.MAX_VALUE);

  private static List<Long> amounts() {
    List<Long> amounts = new ArrayList<>();
    for (int shift = 0; shift < Long.SIZE; shift++) {
      for (long near = -1; near <= 1; near++) {
        amounts.add((1L << shift) + near);
        amounts.add(-(1L << shift) + near);
      }
    }
    return amounts;
  }

  private static long within(BigInteger exact) {
    return exact.max(LEAST).min(MOST).longValueExact();
  }

  @Test
  void sumsAndProductsStopAtTheEnds() {
    for (long a : amounts()) {
      for (long b : amounts()) {
        BigInteger first = BigInteger.valueOf(a);
        BigInteger second = BigInteger.valueOf(b);
        if (SaturatingMath.plus(a, b) != within(first.add(second))
            || SaturatingMath.times(a, b) != within(first.multiply(second))) {
          assertThat(List.of(SaturatingMath.plus(a, b), SaturatingMath.times(a, b)))
              .as("%d and %d", a, b)
              .containsExactly(within(first.add(second)), within(first.multiply(second)));
        }
      }
    }
  }
}
