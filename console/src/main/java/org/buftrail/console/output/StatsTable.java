package org.buftrail.console.output;

import java.util.Locale;
import org.buftrail.jfr.Stats;
import org.buftrail.profile.text.Printable;

/** What recordings held and what became of it, as a table. */
public final class StatsTable {
  private StatsTable() {}

  /**
   * Prints the table.
   *
   * @param aside whether standard output carries something else
   */
  public static void print(Stats stats, Terminal terminal, boolean aside) {
    StringBuilder table = new StringBuilder();
    row(table, "event", "found", "converted", "skipped", "bytes", "skipped because");
    for (Stats.Row row : stats.rows()) {
      String event = Printable.line(row.event());
      row(table, event, row.found(), row.converted(), row.skipped(), row.bytes(), row.why());
    }
    int chunks = stats.chunks();
    table.append(
        String.format(
            Locale.ROOT, "%d chunk%s, %d bytes%n", chunks, chunks == 1 ? "" : "s", stats.bytes()));
    if (aside) {
      terminal.note(table.toString().stripTrailing());
    } else {
      terminal.print(table.toString());
    }
  }

  private static void row(StringBuilder table, Object... cells) {
    table.append(
        String.format(Locale.ROOT, "%-48s %12s %12s %12s %14s  %s", cells).stripTrailing());
    table.append(System.lineSeparator());
  }
}
