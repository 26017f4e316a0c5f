package org.buftrail.cli.commands;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Objects;
import java.util.concurrent.Callable;
import org.buftrail.console.engine.Engines;
import org.buftrail.console.output.CommandFailure;
import org.buftrail.console.output.Terminal;
import org.buftrail.console.output.WrongUsage;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code compact}: fewer and larger files in a dataset. */
@Command(
    name = "compact",
    description = {
      "Merges the files of each day and service of a dataset into one.",
      "May run while recordings are added and questions asked; a kill loses nothing.",
      ""
    },
    mixinStandardHelpOptions = true,
    sortOptions = false)
public final class CompactCommand implements Callable<Integer> {
  private final Terminal terminal;

  @Parameters(
      paramLabel = "DATASET",
      description = "The directory that convert --format parquet has made.")
  private @Nullable Path dataset;

  @Option(
      names = "--keep",
      paramLabel = "DAYS",
      description =
          "Keep the last so many days (UTC) and delete earlier ones. Without it, keep all.")
  private @Nullable Integer days;

  public CompactCommand(Terminal terminal) {
    this.terminal = terminal;
  }

  @Override
  public Integer call() throws IOException, CommandFailure {
    Integer kept = days;
    if (kept != null && kept < 1) {
      throw new WrongUsage("--keep takes a number of days from 1 on, not " + kept);
    }
    return Engines.sql()
        .compact(Objects.requireNonNull(dataset), kept == null ? 0 : kept, terminal);
  }
}
