package org.buftrail.cli.commands;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import org.buftrail.console.engine.Engines;
import org.buftrail.console.engine.SqlQuestion;
import org.buftrail.console.output.CommandFailure;
import org.buftrail.console.output.Terminal;
import org.buftrail.console.output.WrongUsage;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code sql}: recordings as tables. */
@Command(
    name = "sql",
    description = {
      "Answers questions in SQL about recordings, profiles and flow snapshots.",
      "Tables: samples, events, frames, stacks, flows. Views: hot_methods, top_by_service,"
          + " changes_by_hour, allocation_by_class, lock_contention, lock_holders, slow_hosts,"
          + " slow_files, exception_messages, gc_pauses, by_trace, span_time, buffer_leaks,"
          + " netty_chunks, chunk_holders; diff(a, b) compares.",
      "Without a query, takes them from a prompt.",
      ""
    },
    mixinStandardHelpOptions = true,
    sortOptions = false)
public final class SqlCommand implements Callable<Integer> {
  private final Terminal terminal;

  @Parameters(
      arity = "0..*",
      paramLabel = "QUERY|IN",
      description =
          "First the query, in quotes, such as 'from hot_methods'; then recordings, plain or"
              + " packed, directories and globs of them, or other files of profiles.")
  private List<String> arguments = new ArrayList<>();

  @Option(
      names = "--out",
      paramLabel = "FILE",
      description = "Write the answer to a file: .parquet, .csv or .json.")
  private @Nullable String table;

  @Option(
      names = "--flame",
      paramLabel = "FILE",
      description = {
        "Write the stacks of the answer as profiles: .html, .pb.gz, .otlp or another ending that"
            + " convert knows. The answer needs the columns kind, stack_id and value."
      })
  private @Nullable String profile;

  @Option(
      names = "--lenient",
      description = "Exit with 0 also when some recordings could not be read, or only in part.")
  private boolean lenient;

  @Option(
      names = "--read-only",
      description =
          "Answer only queries, which reach no file but the inputs and no network: for queries"
              + " that are not your own.")
  private boolean readOnly;

  public SqlCommand(Terminal terminal) {
    this.terminal = terminal;
  }

  @Override
  public Integer call() throws IOException, CommandFailure {
    List<String> left = new ArrayList<>(arguments);
    String query = null;
    if (!left.isEmpty() && isQuery(left.get(0))) {
      query = left.remove(0);
    }
    if (query == null && (table != null || profile != null)) {
      throw new WrongUsage((table == null ? "--flame" : "--out") + " needs a query");
    }
    if (readOnly && (table != null || profile != null)) {
      throw new WrongUsage(
          "--read-only writes nothing; leave " + (table == null ? "--flame" : "--out"));
    }
    if (query != null && left.isEmpty()) {
      throw new WrongUsage("name recordings behind the query");
    }
    List<Path> inputs = new ArrayList<>();
    left.forEach(name -> inputs.add(Path.of(name)));
    SqlQuestion question = new SqlQuestion(query, inputs, table, profile, lenient, readOnly);
    return Engines.sql().answer(question, terminal);
  }

  /** Whether an argument is no file: queries are words with spaces between them. */
  private static boolean isQuery(String argument) {
    try {
      return argument.strip().contains(" ") && !Files.exists(Path.of(argument));
    } catch (InvalidPathException e) {
      return true;
    }
  }
}
