package org.buftrail.sql;

import java.sql.ResultSet;
import java.sql.ResultSetMetaData;
import java.sql.SQLException;
import java.sql.Types;
import java.util.ArrayList;
import java.util.List;
import org.buftrail.console.output.Terminal;

/** An answer as a table of text: numbers at the right, the rest at the left. */
final class ResultText {
  /** So many rows say how wide columns are. */
  private static final int LOOKED_AT = 1000;

  private static final int WIDEST = 100;

  private ResultText() {}

  static void print(ResultSet rows, Terminal terminal) throws SQLException {
    ResultSetMetaData columns = rows.getMetaData();
    int count = columns.getColumnCount();
    String[] titles = new String[count];
    boolean[] isNumber = new boolean[count];
    int[] widths = new int[count];
    for (int i = 0; i < count; i++) {
      titles[i] = columns.getColumnLabel(i + 1);
      isNumber[i] = isNumber(columns.getColumnType(i + 1));
      widths[i] = titles[i].length();
    }
    List<String[]> first = new ArrayList<>();
    while (first.size() < LOOKED_AT && rows.next()) {
      String[] row = row(rows, count);
      for (int i = 0; i < count; i++) {
        widths[i] = Math.min(WIDEST, Math.max(widths[i], row[i].length()));
      }
      first.add(row);
    }
    terminal.line(line(titles, widths, isNumber));
    for (String[] row : first) {
      terminal.line(line(row, widths, isNumber));
    }
    while (rows.next()) {
      terminal.line(line(row(rows, count), widths, isNumber));
    }
  }

  private static boolean isNumber(int type) {
    return switch (type) {
      case Types.TINYINT,
          Types.SMALLINT,
          Types.INTEGER,
          Types.BIGINT,
          Types.FLOAT,
          Types.REAL,
          Types.DOUBLE,
          Types.DECIMAL,
          Types.NUMERIC ->
          true;
      default -> false;
    };
  }

  private static String[] row(ResultSet rows, int count) throws SQLException {
    String[] row = new String[count];
    for (int i = 0; i < count; i++) {
      String text = rows.getString(i + 1);
      row[i] = text == null ? "" : text;
    }
    return row;
  }

  private static String line(String[] row, int[] widths, boolean[] isNumber) {
    StringBuilder line = new StringBuilder();
    for (int i = 0; i < row.length; i++) {
      String padding = " ".repeat(Math.max(0, widths[i] - row[i].length()));
      line.append(i == 0 ? "" : "  ");
      line.append(isNumber[i] ? padding + row[i] : row[i] + padding);
    }
    return line.toString().stripTrailing();
  }
}
