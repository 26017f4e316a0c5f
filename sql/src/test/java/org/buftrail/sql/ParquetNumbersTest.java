package org.buftrail.sql;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.function.LongUnaryOperator;
import org.buftrail.jfr.parquet.ParquetColumn;
import org.buftrail.jfr.parquet.ParquetFile;
import org.buftrail.jfr.parquet.RowGroup;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Numbers that our own writer writes, read by DuckDB: whatever they are, and around each block. */
final class ParquetNumbersTest {
  @TempDir private Path directory;
  private static Database database;

  @BeforeAll
  static void open() throws IOException, SQLException {
    database = new Database(List.of());
  }

  @AfterAll
  static void close() throws SQLException {
    database.close();
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 8, 31, 32, 33, 64, 127, 128, 129, 130, 161, 257, 1_000})
  void eachIsReadAsItWasWritten(int count) throws IOException, SQLException {
    Random random = new Random(count);
    List<LongUnaryOperator> shapes =
        List.of(
            i -> 1_700_000_000_000_000_000L + 20_000_000 * i + random.nextInt(1_000_000),
            i -> i,
            i -> -i * i,
            i -> random.nextLong(),
            i -> i % 2 == 0 ? Long.MAX_VALUE - i : Long.MIN_VALUE + i,
            i -> 7);
    for (LongUnaryOperator shape : shapes) {
      for (int nulls : List.of(0, 3)) {
        List<Long> numbers = new ArrayList<>();
        for (int i = 0; i < count; i++) {
          boolean isNull = nulls > 0 && random.nextInt(nulls) == 0;
          numbers.addAll(Collections.singletonList(isNull ? null : shape.applyAsLong(i)));
        }
        assertThat(read(written(numbers))).isEqualTo(numbers);
      }
    }
  }

  private Path written(List<Long> numbers) throws IOException {
    List<ParquetColumn> columns = List.of(new ParquetColumn("n", ParquetColumn.Type.LONG));
    Path file = directory.resolve("numbers.parquet");
    OutputStream out = Files.newOutputStream(file);
    try (ParquetFile parquet = new ParquetFile(out, columns, Map.of())) {
      RowGroup rows = new RowGroup(columns);
      for (Long number : numbers) {
        if (number != null) {
          rows.number(0, number);
        }
        rows.endRow();
      }
      parquet.write(rows);
    }
    return file;
  }

  private static List<Long> read(Path file) throws SQLException {
    List<Long> numbers = new ArrayList<>();
    try (Statement statement = database.connection().createStatement();
        ResultSet rows =
            statement.executeQuery(
                "select n from read_parquet("
                    + Database.quoted(file.toString())
                    + ", file_row_number = true) order by file_row_number")) {
      while (rows.next()) {
        long number = rows.getLong(1);
        numbers.addAll(Collections.singletonList(rows.wasNull() ? null : number));
      }
    }
    return numbers;
  }
}
