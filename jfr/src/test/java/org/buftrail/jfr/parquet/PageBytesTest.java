package org.buftrail.jfr.parquet;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.UncheckedIOException;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** How pages grow in memory, and rows with large texts. */
final class PageBytesTest {
  @Test
  void anArrayGrowsToTheLongestThereIs() {
    assertThat(PageBytes.grown(64, 60, 5)).isEqualTo(128);
    assertThat(PageBytes.grown(64, 60, 500)).isEqualTo(560);
    int half = (1 << 30) + 1;
    assertThat(PageBytes.grown(half, half, 1)).isEqualTo(Integer.MAX_VALUE - 8);
    assertThatThrownBy(() -> PageBytes.grown(half, half, half))
        .isInstanceOf(UncheckedIOException.class)
        .hasMessageEndingWith("a column has more than 2 GB of texts");
  }

  @Test
  void rowsWeighWhatTheirTextsTake() {
    RowGroup rows =
        new RowGroup(
            List.of(
                new ParquetColumn("text", ParquetColumn.Type.TEXT),
                new ParquetColumn("map", ParquetColumn.Type.TEXTS)));
    assertThat(rows.weight()).isZero();
    String large = "x".repeat(100_000);
    rows.text(0, large);
    rows.endRow();
    assertThat(rows.weight()).isBetween(100_000L, 100_200L);
    rows.text(0, large);
    rows.endRow();
    assertThat(rows.weight()).isBetween(100_000L, 100_200L);
    rows.texts(1, Map.of("key", large));
    rows.endRow();
    assertThat(rows.weight()).isBetween(200_000L, 200_500L);
  }
}
