package org.buftrail.sql;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.Objects;
import org.buftrail.cli.output.CommandFailure;
import org.duckdb.DuckDBConnection;
import org.duckdb.DuckDBDriver;

/**
 * A database in memory with the tables and views, which are read as far as queries need them. What
 * does not fit into memory goes to the directory for temporary files.
 */
final class Database implements AutoCloseable {
  private static final List<String> TABLES = List.of("samples", "frames");

  private final DuckDBConnection connection;
  private final List<Path> files;
  private Needs read = Needs.NOTHING;
  private List<String> troubles = List.of();

  /**
   * @param files what the tables hold
   */
  Database(List<Path> files) throws SQLException, IOException {
    this.files = List.copyOf(files);
    // The driver is in a loader that the driver manager does not ask.
    DriverManager.registerDriver(new DuckDBDriver());
    connection =
        (DuckDBConnection)
            Objects.requireNonNull(
                new DuckDBDriver().connect("jdbc:duckdb:", new java.util.Properties()));
    Path spilled =
        Path.of(
            System.getProperty("java.io.tmpdir"), "buftrail-sql-" + ProcessHandle.current().pid());
    execute("SET temp_directory = " + quoted(spilled.toString()));
    // Nothing is fetched behind the user's back.
    execute("SET autoinstall_known_extensions = false");
    execute("SET preserve_insertion_order = false");
    // These look at what is in the tables, and plans are made before they are read.
    execute("SET disabled_optimizers = 'statistics_propagation,empty_result_pullup'");
    execute(resource("tables.sql"));
    execute(resource("views.sql"));
  }

  /** A text as a literal. */
  static String quoted(String text) {
    return "'" + text.replace("'", "''") + "'";
  }

  /** What DuckDB says, in one line. */
  static String firstLine(Throwable e) {
    String message = String.valueOf(e.getMessage()).strip();
    int end = message.indexOf('\n');
    return end < 0 ? message : message.substring(0, end).strip();
  }

  private static String resource(String name) throws IOException {
    try (InputStream in = Objects.requireNonNull(Database.class.getResourceAsStream(name), name)) {
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    }
  }

  Connection connection() {
    return connection;
  }

  /** What could not be read for the query at hand, a line each. */
  List<String> troubles() {
    return troubles;
  }

  void execute(String statement) throws SQLException {
    try (Statement run = connection.createStatement()) {
      run.execute(statement);
    }
  }

  /**
   * Reads what a query needs of the files, unless it is there.
   *
   * @throws SQLException if the query is wrong
   */
  void prepare(String query, boolean withFrames) throws SQLException, CommandFailure {
    Needs needs = needs(query);
    if (withFrames) {
      needs = needs.withFrames();
    }
    if (read.covers(needs)) {
      return;
    }
    for (String table : TABLES) {
      execute("DELETE FROM " + table);
    }
    Needs all = needs.and(read);
    troubles = new Loader(connection, all).load(files);
    read = all;
  }

  private Needs needs(String query) throws SQLException {
    try {
      return Needs.of(query, connection);
    } catch (SQLException e) {
      // Several statements, or one that is no query, cannot be explained.
      if (query.contains(";") || !isQuery(query)) {
        return Needs.ALL;
      }
      throw e;
    }
  }

  private static boolean isQuery(String query) {
    String start = query.stripLeading().toLowerCase(java.util.Locale.ROOT);
    return start.startsWith("select") || start.startsWith("from") || start.startsWith("with");
  }

  @Override
  public void close() throws SQLException {
    connection.close();
  }
}
