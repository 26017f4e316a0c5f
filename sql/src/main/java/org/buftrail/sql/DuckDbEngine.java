package org.buftrail.sql;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.buftrail.console.engine.Dataset;
import org.buftrail.console.engine.SqlEngine;
import org.buftrail.console.engine.SqlQuestion;
import org.buftrail.console.output.CommandFailure;
import org.buftrail.console.output.Exit;
import org.buftrail.console.output.ProfileFiles;
import org.buftrail.console.output.Terminal;
import org.buftrail.console.output.WrongUsage;
import org.buftrail.profile.Profiles;
import org.buftrail.profile.input.ReadProfiles;
import org.buftrail.profile.output.ProfileFormat;

/** Answers questions with DuckDB. */
public final class DuckDbEngine implements SqlEngine {
  /** So many files that could not be read are named. */
  private static final int MOST_NAMED = 20;

  private static final List<String> TABLE_FORMATS = List.of("parquet", "csv", "json");

  private static final int MOST_NOTES = 10;

  /** So long a compaction waits for queries at each file. */
  private static final long PATIENCE_MILLIS = 60_000;

  public DuckDbEngine() {}

  @Override
  public int answer(SqlQuestion question, Terminal terminal) throws IOException, CommandFailure {
    check(question);
    List<Path> datasets = question.inputs().stream().filter(ParquetDataset::isOne).toList();
    if (!datasets.isEmpty()) {
      return answerOf(datasets, question, terminal);
    }
    List<String> unread = new ArrayList<>();
    List<Path> files = Loader.files(question.inputs(), unread);
    if (files.isEmpty() && !unread.isEmpty()) {
      throw new CommandFailure(unread.get(0));
    }
    try (Database database = new Database(files)) {
      if (question.readOnly()) {
        database.confine(List.of());
      }
      String query = question.query();
      if (query == null) {
        report(unread, true, terminal);
        return new Prompt(database, List.of(), terminal).runStandardInput();
      }
      answer(stripped(query), question, database, terminal);
      sayNotes(database, terminal);
      unread.addAll(database.troubles());
    } catch (SQLException e) {
      throw new CommandFailure(Database.firstLine(e), e);
    }
    return report(unread, question.lenient(), terminal);
  }

  /** Says what is worth knowing of the recordings; of many, the first few tell what it is. */
  static void sayNotes(Database database, Terminal terminal) {
    List<String> notes = database.notes();
    for (String note : notes.subList(0, Math.min(MOST_NOTES, notes.size()))) {
      terminal.fail("note: " + note);
    }
    if (notes.size() > MOST_NOTES) {
      terminal.fail("note: " + (notes.size() - MOST_NOTES) + " more such notes");
    }
  }

  @SuppressWarnings("try") // Locks are held, and not named.
  private static int answerOf(List<Path> datasets, SqlQuestion question, Terminal terminal)
      throws IOException, CommandFailure {
    if (datasets.size() < question.inputs().size()) {
      throw new WrongUsage("name datasets or recordings, not both: " + datasets.get(0) + " is one");
    }
    for (Path dataset : datasets) {
      ParquetDataset.version(dataset);
    }
    String query = question.query();
    if (query == null) {
      return prompt(datasets, question, terminal);
    }
    try (DatasetLocks locks = DatasetLocks.share(datasets);
        Database database = Database.ofDatasets(datasets)) {
      if (question.readOnly()) {
        database.confine(datasets);
      }
      answer(stripped(query), question, database, terminal);
      return Exit.DONE;
    } catch (SQLException e) {
      return named(e, datasets, terminal);
    }
  }

  /** Asks datasets at a prompt, which locks them for each query: it may be open for days. */
  private static int prompt(List<Path> datasets, SqlQuestion question, Terminal terminal)
      throws IOException, CommandFailure {
    try (Database database = opened(datasets)) {
      if (question.readOnly()) {
        database.confine(datasets);
      }
      return new Prompt(database, datasets, terminal).runStandardInput();
    } catch (SQLException e) {
      return named(e, datasets, terminal);
    }
  }

  @SuppressWarnings("try") // Locks are held, and not named.
  private static Database opened(List<Path> datasets) throws IOException, SQLException {
    try (DatasetLocks locks = DatasetLocks.share(datasets)) {
      return Database.ofDatasets(datasets);
    }
  }

  /** Names the files that are why a query failed; if there are none, ends with what DuckDB says. */
  @SuppressWarnings("try") // Locks are held, and not named.
  private static int named(SQLException e, List<Path> datasets, Terminal terminal)
      throws IOException, CommandFailure {
    String said = Database.firstLine(e);
    // The query's are released, and a file that is replaced meanwhile is not damaged.
    try (DatasetLocks locks = DatasetLocks.share(datasets)) {
      List<String> damaged = DamagedFiles.behind(said, datasets);
      if (damaged.isEmpty()) {
        throw new CommandFailure(said, e);
      }
      damaged.forEach(terminal::fail);
      return Exit.FAILED;
    }
  }

  @Override
  public Dataset dataset(Path directory, boolean messages) throws IOException, CommandFailure {
    return ParquetDataset.open(directory, messages);
  }

  @Override
  public int compact(Path directory, int days, Terminal terminal)
      throws IOException, CommandFailure {
    if (!ParquetDataset.isOne(directory)) {
      throw new CommandFailure(directory + " is no dataset");
    }
    ParquetDataset.open(directory, false).close();
    LocalDate oldest =
        days == 0 ? LocalDate.MIN : LocalDate.now(ZoneOffset.UTC).minusDays(days - 1L);
    Compactor.Done done = new Compactor(directory, () -> {}).run(oldest, PATIENCE_MILLIS);
    terminal.note(
        directory
            + ": made "
            + done.made()
            + " of "
            + done.replaced()
            + " files, deleted "
            + done.days()
            + " days, left "
            + done.busy()
            + " that were in use");
    done.kept().forEach(terminal::note);
    done.damaged().forEach(terminal::fail);
    return done.damaged().isEmpty() ? Exit.DONE : Exit.FAILED;
  }

  private static void check(SqlQuestion question) {
    String table = question.table();
    if (table != null) {
      tableFormat(table);
    }
    String profile = question.profile();
    if (profile != null) {
      profileFormat(profile);
    }
  }

  private static String stripped(String query) {
    String text = query.strip();
    while (text.endsWith(";")) {
      text = text.substring(0, text.length() - 1).strip();
    }
    return text;
  }

  private static String tableFormat(String file) {
    String ending = file.substring(file.lastIndexOf('.') + 1).toLowerCase(Locale.ROOT);
    if (!TABLE_FORMATS.contains(ending)) {
      throw new WrongUsage("--out takes a file that ends in .parquet, .csv or .json, not " + file);
    }
    return ending;
  }

  private static ProfileFormat profileFormat(String file) {
    return ProfileFormat.ofFile(file)
        .orElseThrow(
            () ->
                new WrongUsage(
                    "--flame takes a file that ends in one of "
                        + ProfileFormat.allEndings()
                        + ", not "
                        + file));
  }

  private static void answer(
      String query, SqlQuestion question, Database database, Terminal terminal)
      throws SQLException, IOException, CommandFailure {
    String table = question.table();
    String profile = question.profile();
    database.prepare(query, profile != null);
    if (profile != null) {
      // The rows are kept, and then written as the query orders them.
      database.execute("SET preserve_insertion_order = " + (table != null));
      flame(query, profile, database, terminal);
    }
    if (table != null) {
      // One answer for both: a query that samples has another each time.
      copy(profile == null ? query : "FROM " + AnswerProfiles.ANSWER, table, database);
    }
    if (profile == null && table == null) {
      print(query, database, terminal);
    }
  }

  /** Prints a statement's rows, if it has any. */
  static void print(String query, Database database, Terminal terminal) throws SQLException {
    try (Statement statement = database.connection().createStatement()) {
      if (statement.execute(query)) {
        try (ResultSet rows = statement.getResultSet()) {
          ResultText.print(rows, terminal);
        }
      }
    }
  }

  /** Writes a query's rows to a file, which appears whole or not at all. */
  private static void copy(String query, String table, Database database)
      throws SQLException, IOException, CommandFailure {
    Path target = Path.of(table).toAbsolutePath();
    Path part = target.resolveSibling("." + target.getFileName() + ".part");
    String format = tableFormat(table);
    try {
      String options = format.equals("csv") ? "(FORMAT csv, HEADER)" : "(FORMAT " + format + ")";
      database.execute(
          "COPY (" + query + "\n) TO " + Database.quoted(part.toString()) + " " + options);
      Files.move(part, target, StandardCopyOption.REPLACE_EXISTING);
    } catch (SQLException e) {
      throw new CommandFailure("cannot write " + table + ": " + Database.firstLine(e), e);
    } finally {
      Files.deleteIfExists(part);
    }
  }

  private static void flame(String query, String file, Database database, Terminal terminal)
      throws SQLException, CommandFailure {
    Profiles profiles = new AnswerProfiles(database.connection()).of(query);
    if (profiles.profiles().isEmpty()) {
      throw new CommandFailure("nothing to write to " + file + ": the query has no rows");
    }
    new ProfileFiles(ReadProfiles.of(List.of(profiles), List.of()), ProfileFiles.Style.PLAIN)
        .write(file, profileFormat(file), terminal);
  }

  /** Names what could not be read; answers the exit code. */
  private static int report(List<String> unread, boolean lenient, Terminal terminal) {
    for (String trouble : unread.subList(0, Math.min(MOST_NAMED, unread.size()))) {
      terminal.fail(trouble);
    }
    if (unread.size() > MOST_NAMED) {
      terminal.fail((unread.size() - MOST_NAMED) + " more could not be read");
    }
    if (!unread.isEmpty() && !lenient) {
      terminal.fail(
          unread.size()
              + (unread.size() == 1 ? " part" : " parts")
              + " left out of the answer (--lenient accepts that)");
      return Exit.FAILED;
    }
    return Exit.DONE;
  }
}
