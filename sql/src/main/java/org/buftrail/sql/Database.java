package org.buftrail.sql;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Properties;
import java.util.concurrent.atomic.AtomicInteger;
import org.buftrail.jfr.dataset.DatasetLayout;
import org.duckdb.DuckDBConnection;
import org.duckdb.DuckDBDriver;

/**
 * A database in memory with the tables and views, which are read as far as queries need them. What
 * does not fit into memory goes to the directory for temporary files.
 */
final class Database implements AutoCloseable {
  /** In front of a query: how DuckDB would answer it. */
  static final String EXPLAIN = "EXPLAIN (FORMAT json) ";

  /** What views can be asked for a part by, each left out for all. */
  private static final String ASKED =
      "service := NULL, since := NULL, until := NULL, thread := NULL, tag := NULL";

  /** The same, passed on. */
  private static final String PASSED =
      "service := service, since := since, until := until, thread := thread, tag := tag";

  /** Databases that this process has opened: no two may spill into one directory. */
  private static final AtomicInteger OPENED = new AtomicInteger();

  private final DuckDBConnection connection;
  private final List<Path> files;
  private final boolean isDataset;
  private boolean isConfined;
  private Needs read = Needs.NOTHING;
  private List<String> troubles = List.of();
  private List<String> notes = List.of();

  /**
   * @param files what the tables hold
   */
  Database(List<Path> files) throws SQLException, IOException {
    this(files, List.of());
  }

  /** A database of what is in datasets, of which nothing has to be read before a query. */
  static Database ofDatasets(List<Path> directories) throws SQLException, IOException {
    return new Database(List.of(), directories);
  }

  private Database(List<Path> files, List<Path> datasets) throws SQLException, IOException {
    this.files = List.copyOf(files);
    this.isDataset = !datasets.isEmpty();
    connection = connect();
    Path spilled =
        Path.of(
            System.getProperty("java.io.tmpdir"),
            "buftrail-sql-" + ProcessHandle.current().pid() + "-" + OPENED.getAndIncrement());
    execute("SET temp_directory = " + quoted(spilled.toString()));
    // Nothing is fetched behind the user's back.
    execute("SET autoinstall_known_extensions = false");
    execute("SET preserve_insertion_order = false");
    execute(resource("tables.sql"));
    if (isDataset) {
      // Each table and each query would read the footers of all files once more.
      execute("SET parquet_metadata_cache = true");
      for (String table : DatasetLayout.TABLES) {
        view(table, datasets);
      }
    } else {
      // These look at what is in the tables, and plans are made before they are read.
      execute("SET disabled_optimizers = 'statistics_propagation,empty_result_pullup'");
    }
    execute(resource("views.sql").replace("${asked}", ASKED).replace("${passed}", PASSED));
  }

  private static DuckDBConnection connect() throws SQLException, IOException {
    try {
      // The driver is in a loader that the driver manager does not ask.
      DriverManager.registerDriver(new DuckDBDriver());
      Properties properties = new Properties();
      // Rows are handed on as they come, however many there are.
      properties.setProperty(DuckDBDriver.JDBC_STREAM_RESULTS, "true");
      return (DuckDBConnection)
          Objects.requireNonNull(new DuckDBDriver().connect("jdbc:duckdb:", properties));
    } catch (LinkageError e) {
      Throwable cause = e;
      while (cause.getCause() != null) {
        cause = cause.getCause();
      }
      throw new IOException(
          "DuckDB's native code cannot be loaded from "
              + System.getProperty("java.io.tmpdir")
              + ", where the driver puts it: "
              + cause,
          e);
    }
  }

  /** A text as a literal. */
  static String quoted(String text) {
    return "'" + text.replace("'", "''") + "'";
  }

  /** A name as a glob that stands for it alone. */
  static String literal(String name) {
    return name.replaceAll("[\\[*?]", "[$0]");
  }

  /** Has the files of datasets take the place of a table; it stays, empty, where there are none. */
  private void view(String table, List<Path> datasets) throws SQLException, IOException {
    List<String> first = new ArrayList<>();
    List<String> now = new ArrayList<>();
    for (Path dataset : datasets) {
      boolean isFirst = ParquetDataset.isFirst(dataset);
      String below = isFirst ? table : DatasetLayout.ROWS;
      if (ParquetDataset.holds(dataset, below)) {
        String glob = quoted(literal(dataset.resolve(below).toString()) + "/**/*.parquet");
        (isFirst ? first : now).add(glob);
      }
    }
    List<String> selects = new ArrayList<>();
    if (!now.isEmpty()) {
      selects.add(DatasetView.of(table, now));
    }
    if (!first.isEmpty()) {
      selects.add(DatasetView.ofFirst(table, first));
    }
    if (!selects.isEmpty()) {
      execute("DROP TABLE " + table);
      execute("CREATE VIEW " + table + " AS " + String.join(" UNION ALL BY NAME ", selects));
    }
  }

  /** What DuckDB says, in one line. */
  static String firstLine(Throwable e) {
    List<String> lines = String.valueOf(e.getMessage()).strip().lines().toList();
    String first = lines.isEmpty() ? "" : lines.get(0).strip();
    for (String line : lines) {
      if (line.startsWith("Did you mean") || line.startsWith("Candidate")) {
        return first + " " + line.strip();
      }
    }
    return first;
  }

  /** The line of a query that is wrong and a mark below it, as DuckDB shows them, or nothing. */
  static List<String> place(Throwable e) {
    List<String> lines =
        String.valueOf(e.getMessage()).lines().dropWhile(l -> !l.startsWith("LINE ")).toList();
    if (lines.size() < 2 || !lines.get(0).contains(EXPLAIN)) {
      return lines;
    }
    // The user wrote what is behind it.
    String mark = lines.get(1).substring(Math.min(EXPLAIN.length(), lines.get(1).length()));
    return List.of(lines.get(0).replace(EXPLAIN, ""), mark);
  }

  private static String resource(String name) throws IOException {
    try (InputStream in = Objects.requireNonNull(Database.class.getResourceAsStream(name), name)) {
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    }
  }

  /**
   * Answers queries alone from now on, which reach no file but those of datasets, and no network.
   */
  void confine(List<Path> datasets) throws SQLException {
    List<String> directories =
        datasets.stream().map(dataset -> quoted(dataset.toString())).toList();
    execute("SET allowed_directories = " + directories);
    execute("SET enable_external_access = false");
    execute("SET lock_configuration = true");
    isConfined = true;
  }

  /** Refuses what is no query, which DuckDB says by whether it has a form of it as data. */
  private void checkQuery(String query) throws SQLException {
    try (PreparedStatement parse =
        connection.prepareStatement("SELECT json_serialize_sql(?)->>'error_type'")) {
      parse.setString(1, query);
      try (ResultSet answer = parse.executeQuery()) {
        if (answer.next() && "not implemented".equals(answer.getString(1))) {
          throw new SQLException("with --read-only, queries alone are answered");
        }
      }
    }
  }

  Connection connection() {
    return connection;
  }

  /** What could not be read for the query at hand, a line each. */
  List<String> troubles() {
    return troubles;
  }

  /** What is worth knowing of the files that were read last, and is no damage, a line each. */
  List<String> notes() {
    return notes;
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
  void prepare(String query, boolean withFrames) throws SQLException, IOException {
    if (isConfined) {
      checkQuery(query);
    }
    if (isDataset) {
      return;
    }
    Needs needs = needs(query);
    if (withFrames) {
      needs = needs.withFrames();
    }
    if (read.covers(needs)) {
      return;
    }
    Needs all = needs.and(read);
    // Should this fail, the tables hold a part of it.
    read = Needs.NOTHING;
    troubles = load(files, all);
    read = all;
  }

  /** Has the tables hold all that is needed of these files; answers what could not be read. */
  List<String> load(List<Path> others, Needs needs) throws SQLException, IOException {
    for (String table : DatasetLayout.TABLES) {
      execute("DELETE FROM " + table);
    }
    Loader loader = new Loader(connection, needs);
    List<String> unread = loader.load(others);
    notes = loader.notes();
    return unread;
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
    String start = query.stripLeading().toLowerCase(Locale.ROOT);
    return start.startsWith("select") || start.startsWith("from") || start.startsWith("with");
  }

  @Override
  public void close() throws SQLException {
    connection.close();
  }
}
