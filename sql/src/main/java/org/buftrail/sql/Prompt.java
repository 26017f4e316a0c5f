package org.buftrail.sql;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.nio.charset.Charset;
import java.sql.SQLException;
import java.util.List;
import org.buftrail.cli.output.Exit;
import org.buftrail.cli.output.Terminal;

/** Takes queries from lines, each up to a semicolon. */
final class Prompt {
  private static final List<String> GREETING =
      List.of(
          "Tables: samples, events, frames, stacks, flows. Views: hot_methods, allocation_by_class,",
          "lock_contention, gc_pauses, buffer_leaks, top_by_service, changes_by_hour, span_time;",
          "diff(a, b).",
          "A query ends in a semicolon: from hot_methods limit 10; describe samples; .quit ends.");

  private final Database database;
  private final Terminal terminal;

  Prompt(Database database, Terminal terminal) {
    this.database = database;
    this.terminal = terminal;
  }

  /** Answers until the lines end; what is wrong with one query is said, and the next is taken. */
  int run(InputStream in) throws IOException {
    BufferedReader lines = new BufferedReader(new InputStreamReader(in, Charset.defaultCharset()));
    GREETING.forEach(terminal::note);
    StringBuilder query = new StringBuilder();
    terminal.transientText("sql> ");
    for (String line = lines.readLine(); line != null; line = lines.readLine()) {
      String text = line.strip();
      if (query.isEmpty() && (text.equals(".quit") || text.equals(".exit"))) {
        return Exit.DONE;
      }
      query.append(line).append('\n');
      if (text.endsWith(";")) {
        answer(query.toString().strip());
        query.setLength(0);
      }
      terminal.transientText(query.toString().isBlank() ? "sql> " : "...> ");
    }
    if (!query.toString().isBlank()) {
      answer(query.toString().strip());
    }
    return Exit.DONE;
  }

  private void answer(String query) {
    String plain = query.endsWith(";") ? query.substring(0, query.length() - 1) : query;
    if (plain.isBlank()) {
      return;
    }
    List<String> before = database.troubles();
    try {
      database.prepare(plain, false);
      DuckDbEngine.print(plain, database, terminal);
    } catch (SQLException e) {
      terminal.fail(Database.firstLine(e));
    } catch (IOException e) {
      terminal.fail(String.valueOf(e.getMessage()));
    }
    if (database.troubles() != before) {
      DuckDbEngine.sayNotes(database, terminal);
      database.troubles().forEach(terminal::fail);
    }
  }
}
