package org.buftrail.benchmarks.run;

import java.util.ArrayList;
import java.util.List;

/** Rows of cells, as aligned text or as Markdown. */
final class Table {
  private final List<List<String>> rows = new ArrayList<>();

  Table(List<String> heading) {
    rows.add(List.copyOf(heading));
  }

  void add(List<String> row) {
    rows.add(List.copyOf(row));
  }

  boolean isEmpty() {
    return rows.size() == 1;
  }

  String text() {
    int columns = rows.get(0).size();
    int[] widths = new int[columns];
    for (List<String> row : rows) {
      for (int i = 0; i < columns; i++) {
        widths[i] = Math.max(widths[i], row.get(i).length());
      }
    }
    StringBuilder text = new StringBuilder();
    for (List<String> row : rows) {
      StringBuilder line = new StringBuilder();
      for (int i = 0; i < columns; i++) {
        line.append(row.get(i)).append(" ".repeat(widths[i] - row.get(i).length() + 2));
      }
      text.append(line.toString().stripTrailing()).append('\n');
    }
    return text.toString();
  }

  String markdown() {
    StringBuilder text = new StringBuilder();
    for (int r = 0; r < rows.size(); r++) {
      text.append("| ").append(String.join(" | ", rows.get(r))).append(" |\n");
      if (r == 0) {
        text.append("|---".repeat(rows.get(0).size())).append("|\n");
      }
    }
    return text.toString();
  }
}
