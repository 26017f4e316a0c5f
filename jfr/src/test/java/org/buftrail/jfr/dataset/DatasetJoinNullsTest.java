package org.buftrail.jfr.dataset;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.buftrail.jfr.parquet.DamagedParquetException;
import org.buftrail.jfr.parquet.ParquetFile;
import org.buftrail.jfr.parquet.RowGroup;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Rows that lack what they are sorted by. */
final class DatasetJoinNullsTest {
  @TempDir private Path directory;

  private Path write(String table, int without) throws IOException {
    Path file = directory.resolve("x.parquet");
    try (ParquetFile out =
        new ParquetFile(Files.newOutputStream(file), RowColumn.COLUMNS, DatasetLayout.METADATA)) {
      RowGroup rows = new RowGroup(RowColumn.COLUMNS);
      for (int i = 0; i < 300; i++) {
        rows.text(RowColumn.ROW, table);
        boolean isWhole = i < 299;
        if (isWhole || without != RowColumn.KIND) {
          rows.text(RowColumn.KIND, "cpu");
        }
        if (isWhole || without != RowColumn.EVENT) {
          rows.text(RowColumn.EVENT, "e");
        }
        if (isWhole || without != RowColumn.TIME_NANOS) {
          rows.number(RowColumn.TIME_NANOS, i);
        }
        if (isWhole || without != RowColumn.STACK_ID) {
          rows.number(RowColumn.STACK_ID, 1);
        }
        rows.endRow();
      }
      out.write(rows);
    }
    return file;
  }

  private static void join(Path file) throws IOException {
    try (DatasetJoin join = new DatasetJoin(new ByteArrayOutputStream())) {
      join.add(file);
      join.finish();
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"sample KIND", "event EVENT", "sample TIME", "event TIME", "frame STACK"})
  void areDamage(String which) throws IOException {
    int without =
        switch (which.replaceAll(".* ", "")) {
          case "KIND" -> RowColumn.KIND;
          case "EVENT" -> RowColumn.EVENT;
          case "TIME" -> RowColumn.TIME_NANOS;
          default -> RowColumn.STACK_ID;
        };
    Path file = write(which.replaceAll(" .*", ""), without);
    assertThatThrownBy(() -> join(file))
        .isInstanceOf(DamagedParquetException.class)
        .hasMessageContaining("without a kind");
    assertThatThrownBy(() -> DatasetJoin.check(file, false))
        .isInstanceOf(DamagedParquetException.class);
  }

  @Test
  void othersAreNot() throws IOException {
    join(write("sample", RowColumn.STACK_ID));
    join(write("event", RowColumn.KIND));
    join(write("frame", RowColumn.TIME_NANOS));
  }
}
