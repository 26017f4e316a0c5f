package org.buftrail.cli.commands;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import org.buftrail.console.engine.Dataset;
import org.buftrail.console.engine.Engines;
import org.buftrail.console.output.CommandFailure;
import org.buftrail.console.output.Exit;
import org.buftrail.console.output.Terminal;
import org.buftrail.console.output.WrongUsage;
import org.buftrail.jfr.Recording;
import org.buftrail.jfr.RecordingException;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code convert --format parquet}: recordings to a dataset that {@code sql} reads. */
@Command(
    name = "convert",
    description = {
      "Adds recordings to a dataset of Parquet files, by day and service.",
      "A recording that is in it already adds nothing.",
      ""
    },
    mixinStandardHelpOptions = true,
    sortOptions = false)
public final class DatasetCommand implements Callable<Integer> {
  static final String MESSAGES =
      "Keep the messages of exceptions too. They may hold what users typed.";

  private final Terminal terminal;

  @Parameters(
      arity = "1..*",
      paramLabel = "IN",
      description = "Recordings, plain or packed; directories and globs of them.")
  private List<Path> inputs = new ArrayList<>();

  @Option(
      names = {"-o", "--output"},
      required = true,
      paramLabel = "DIR",
      description = "The dataset: a directory of it, or a new one.")
  private Path output = Path.of("");

  @Option(names = "--format", required = true, paramLabel = "parquet", description = "Parquet.")
  private String format = "";

  @Option(
      names = "--lenient",
      description = "Exit with 0 also when some recordings could not be read, or only in part.")
  private boolean lenient;

  @Option(names = "--messages", description = MESSAGES)
  private boolean messages;

  public DatasetCommand(Terminal terminal) {
    this.terminal = terminal;
  }

  /** Whether arguments of {@code convert} ask for a dataset. */
  public static boolean isMeant(String[] arguments) {
    for (int i = 1; i < arguments.length; i++) {
      boolean apart = i > 1 && arguments[i - 1].equals("--format");
      if (arguments[i].equalsIgnoreCase("--format=parquet")
          || (apart && arguments[i].equalsIgnoreCase("parquet"))) {
        return true;
      }
    }
    return false;
  }

  @Override
  public Integer call() throws IOException, CommandFailure {
    if (!format.equalsIgnoreCase("parquet")) {
      throw new WrongUsage("--format is given twice: parquet, and " + format);
    }
    int added = 0;
    int known = 0;
    int failed = 0;
    int damaged = 0;
    List<Path> files = new ArrayList<>();
    for (Path input : inputs) {
      try {
        files.addAll(Recording.matching(List.of(input)).files());
      } catch (RecordingException e) {
        Exit.failed(e, terminal);
        failed++;
      }
    }
    try (Dataset dataset = Engines.sql().dataset(output, messages)) {
      for (Path file : files) {
        try {
          Dataset.Added what = dataset.add(file);
          added += what.added() ? 1 : 0;
          known += what.added() ? 0 : 1;
          damaged += what.damages().isEmpty() ? 0 : 1;
          what.damages().forEach(terminal::fail);
        } catch (IOException e) {
          if (e instanceof RecordingException failure && failure.isOfTemporaryFile()) {
            // No fault of this recording: the next would fail for the same reason.
            throw e;
          }
          Exit.failed(e, terminal);
          failed++;
        }
      }
    }
    terminal.note(
        output
            + ": added "
            + added
            + ", there before "
            + known
            + ", not readable "
            + failed
            + ", readable in part "
            + damaged);
    return failed + damaged > 0 && !lenient ? Exit.FAILED : Exit.DONE;
  }
}
