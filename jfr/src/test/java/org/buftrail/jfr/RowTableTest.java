package org.buftrail.jfr;

import static org.assertj.core.api.Assertions.assertThat;

import org.buftrail.jfr.table.RowTable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

final class RowTableTest {
  @Test
  @Timeout(20)
  void keysThatDifferInFewBitsDoNotAllMeet() {
    RowTable table = new RowTable(2, 1);
    int rows = 0;
    for (long i = 0; i < 512; i++) {
      for (long k = 0; k < 512; k++) {
        assertThat(table.row(new long[] {i << 55 | i << 23, k << 55 | k << 23})).isEqualTo(rows++);
      }
    }
    assertThat(table.row(new long[] {1L << 55 | 1L << 23, 2L << 55 | 2L << 23})).isEqualTo(514);
  }
}
