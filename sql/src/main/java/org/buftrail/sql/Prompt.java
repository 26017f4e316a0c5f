package org.buftrail.sql;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.nio.charset.Charset;
import java.sql.SQLException;
import java.util.List;
import org.buftrail.console.output.Exit;
import org.buftrail.console.output.Terminal;

/** Takes queries from lines, each up to a semicolon. */
final class Prompt {
  private static final List<String> GREETING =
      List.of(
          "Tables: samples, events, frames, stacks, flows. Views: hot_methods, allocation_by_class,",
          "lock_contention, gc_pauses, buffer_leaks, top_by_service, changes_by_hour, span_time;",
          "diff(a, b).",
          "A query ends in a semicolon: from hot_methods limit 10; describe samples;",
          ".tables lists tables and views, help shows this again, .quit ends.");

  private static final String TABLES =
      "select table_name from information_schema.tables order by 1";

  private final Database database;
  private final Terminal terminal;
  private boolean hasFailed;

  Prompt(Database database, Terminal terminal) {
    this.database = database;
    this.terminal = terminal;
  }

  /**
   * Answers until the lines end; what is wrong with one query is said, and the next is taken.
   *
   * @return 1 if a query failed
   */
  int run(InputStream in) throws IOException {
    BufferedReader lines = new BufferedReader(new InputStreamReader(in, Charset.defaultCharset()));
    GREETING.forEach(terminal::note);
    StringBuilder query = new StringBuilder();
    terminal.transientText("sql> ");
    for (String line = lines.readLine(); line != null; line = lines.readLine()) {
      String text = line.strip();
      if (query.isEmpty() && (text.equals(".quit") || text.equals(".exit"))) {
        return exit();
      }
      if (!query.isEmpty() || !isCommand(text)) {
        query.append(line).append('\n');
      }
      if (text.endsWith(";")) {
        answer(query.toString().strip());
        query.setLength(0);
      }
      terminal.transientText(query.toString().isBlank() ? "sql> " : "...> ");
    }
    if (!query.toString().isBlank()) {
      answer(query.toString().strip());
    }
    return exit();
  }

  private int exit() {
    return hasFailed ? Exit.FAILED : Exit.DONE;
  }

  /** Whether a line is none of SQL; does what it says. */
  private boolean isCommand(String text) {
    switch (text.endsWith(";") ? text.substring(0, text.length() - 1) : text) {
      case "help", ".help", "?" -> GREETING.forEach(terminal::note);
      case ".tables" -> answer(TABLES);
      default -> {
        return false;
      }
    }
    return true;
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
      hasFailed = true;
      terminal.fail(Database.firstLine(e));
      // Where in the query it is.
      Database.place(e).forEach(terminal::note);
    } catch (IOException e) {
      hasFailed = true;
      terminal.fail(String.valueOf(e.getMessage()));
    }
    if (database.troubles() != before) {
      DuckDbEngine.sayNotes(database, terminal);
      database.troubles().forEach(terminal::fail);
    }
  }
}
