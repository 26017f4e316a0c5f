package org.buftrail.sql;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.nio.charset.Charset;
import java.nio.file.Path;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import org.buftrail.console.output.Exit;
import org.buftrail.console.output.Terminal;

/** Takes queries from lines, each up to a semicolon. */
final class Prompt {
  private static final List<String> GREETING =
      List.of(
          "Tables: samples, events, frames, stacks, flows. Views: hot_methods, top_by_service,",
          "changes_by_hour, allocation_by_class, lock_contention, lock_holders, slow_hosts,",
          "slow_files, exception_messages, gc_pauses, by_trace, span_time, buffer_leaks,"
              + " netty_chunks,",
          "chunk_holders; diff(a, b).",
          "A query ends in a semicolon: from hot_methods limit 10; describe samples;",
          ".tables lists tables and views, help shows this again, .quit ends.");

  private static final List<String> COMMANDS =
      List.of(".tables", "help", ".help", "?", ".quit", ".exit");

  private static final String TABLES =
      "select table_name from information_schema.tables order by 1";

  private final Database database;
  private final List<Path> datasets;
  private final Terminal terminal;
  private boolean hasFailed;

  /**
   * @param datasets that are asked; none if recordings are
   */
  Prompt(Database database, List<Path> datasets, Terminal terminal) {
    this.database = database;
    this.datasets = List.copyOf(datasets);
    this.terminal = terminal;
  }

  /** Answers what a user types, or what a pipe holds, until it ends. */
  int runStandardInput() throws IOException, SQLException {
    try (Lines lines = standardInput()) {
      return run(lines);
    }
  }

  private Lines standardInput() throws IOException, SQLException {
    String type = System.getenv().getOrDefault("TERM", "");
    if (!type.isEmpty() && !type.equals("dumb")) {
      try {
        return EditedLines.ofProcess(names());
      } catch (IllegalStateException e) {
        // Standard input is no terminal.
      } catch (NoClassDefFoundError e) {
        // The jars of the editor are not beside this one.
      }
    }
    return plain(System.in);
  }

  /** Lines as they come. */
  Lines plain(InputStream in) {
    BufferedReader lines = new BufferedReader(new InputStreamReader(in, Charset.defaultCharset()));
    return prompt -> {
      terminal.transientText(prompt);
      return lines.readLine();
    };
  }

  private List<String> names() throws SQLException {
    List<String> names = new ArrayList<>(COMMANDS);
    try (Statement statement = database.connection().createStatement();
        ResultSet rows = statement.executeQuery(TABLES)) {
      while (rows.next()) {
        names.add(rows.getString(1));
      }
    }
    return names;
  }

  /**
   * Answers until the lines end; what is wrong with one query is said, and the next is taken.
   *
   * @return 1 if a query failed
   */
  int run(Lines lines) throws IOException {
    GREETING.forEach(terminal::note);
    StringBuilder query = new StringBuilder();
    for (String line = lines.next("sql> ");
        line != null;
        line = lines.next(query.toString().isBlank() ? "sql> " : "...> ")) {
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
    }
    if (!query.toString().isBlank()) {
      answer(query.toString().strip());
    }
    return exit();
  }

  /** Whether what was typed can be acted upon: a query with its semicolon, a command, nothing. */
  static boolean isWhole(String typed) {
    String text = typed.strip();
    return text.isEmpty() || text.endsWith(";") || COMMANDS.contains(text);
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

  @SuppressWarnings("try") // Locks are held, and not named.
  private void answer(String query) {
    String plain = query.endsWith(";") ? query.substring(0, query.length() - 1) : query;
    if (plain.isBlank()) {
      return;
    }
    List<String> before = database.troubles();
    // Between two queries files may be replaced.
    try (DatasetLocks locks = DatasetLocks.share(datasets)) {
      print(plain);
    } catch (IOException e) {
      hasFailed = true;
      terminal.fail(Exit.describe(e));
    }
    if (database.troubles() != before) {
      DuckDbEngine.sayNotes(database, terminal);
      database.troubles().forEach(terminal::fail);
    }
  }

  private void print(String query) throws IOException {
    try {
      database.prepare(query, false);
      DuckDbEngine.print(query, database, terminal);
    } catch (SQLException e) {
      hasFailed = true;
      sayWhy(e);
    }
  }

  /** Says what is wrong with the query, and names the files that are damaged if it may be them. */
  private void sayWhy(SQLException e) throws IOException {
    String said = Database.firstLine(e);
    terminal.fail(said);
    // Where in the query it is.
    Database.place(e).forEach(terminal::note);
    DamagedFiles.behind(said, datasets).forEach(terminal::fail);
  }
}
