package org.buftrail.cli.commands;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.buftrail.cli.options.OptionTable;
import org.buftrail.cli.options.ReceiverOptions;
import org.buftrail.cli.options.SizeOption;
import org.buftrail.cli.watch.Compaction;
import org.buftrail.cli.watch.DatasetTaker;
import org.buftrail.cli.watch.PushTaker;
import org.buftrail.cli.watch.Taker;
import org.buftrail.cli.watch.Watch;
import org.buftrail.cli.watch.WatchServer;
import org.buftrail.console.engine.Engines;
import org.buftrail.console.engine.SqlEngine;
import org.buftrail.console.output.CommandFailure;
import org.buftrail.console.output.Exit;
import org.buftrail.console.output.Output;
import org.buftrail.console.output.Terminal;
import org.buftrail.console.output.WrongUsage;
import org.buftrail.profile.push.PushTarget;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code watch}: a converter that stays. */
@Command(
    name = "watch",
    description = {
      "Converts the recordings of a directory, and those that come, until it is stopped.",
      "Sends them to an OpenTelemetry receiver, or adds them to a dataset for sql; each once, also"
          + " over a restart.",
      ""
    },
    mixinStandardHelpOptions = true,
    sortOptions = false)
public final class WatchCommand implements Callable<Integer> {
  private final Terminal terminal;

  @Parameters(
      paramLabel = "DIR|-",
      description = "Where recordings appear; - for none, if they are posted.")
  private String directory = "";

  @Mixin private ReceiverOptions receiver = new ReceiverOptions();

  @Option(
      names = "--dataset",
      paramLabel = "DIR",
      description = "Add recordings to this dataset, as convert --format parquet does.")
  private @Nullable Path dataset;

  @Option(names = "--messages", description = DatasetCommand.MESSAGES)
  private boolean messages;

  @Option(
      names = "--compact",
      paramLabel = "HOURS",
      description =
          "Compact the dataset every so many hours, as compact does; with --once, at the end.")
  private @Nullable Integer compact;

  @Option(
      names = "--keep",
      paramLabel = "DAYS",
      description = "With --compact: keep the last days alone, today among them. Default: all.")
  private @Nullable Integer keep;

  @Option(
      names = "--workers",
      paramLabel = "N",
      description = "How many recordings to convert at a time. Default: the processors.")
  private int workers = Runtime.getRuntime().availableProcessors();

  @Option(
      names = "--journal",
      paramLabel = "FILE",
      description = "The file that notes what has been taken. Default: DIR/.buftrail-watch.")
  private @Nullable Path journal;

  @Option(
      names = "--port",
      paramLabel = "PORT",
      description = {
        "Take recordings by POST /, and answer GET /metrics and /failures, on the loopback address;"
            + " 0 for a free port."
      })
  private @Nullable Integer port;

  private final SizeOption largest =
      new SizeOption("--max-size", 1L << 30, "Refuse larger posts. Default: 1g.");

  @Option(
      names = "--age",
      paramLabel = "SECONDS",
      description =
          "Take a file when it has not changed for this long, if recordings are copied slowly."
              + " --once does not wait. Default: 1.")
  private int age = 1;

  @Option(names = "--once", description = "End when all that is there has been converted.")
  private boolean once;

  private @Nullable SqlEngine engine;

  private WatchCommand(Terminal terminal) {
    this.terminal = terminal;
  }

  /** The command with its options. */
  public static CommandLine commandLine(Terminal terminal) {
    WatchCommand command = new WatchCommand(terminal);
    return OptionTable.commandLine(command, List.of(command.largest));
  }

  @Override
  public Integer call() throws IOException, InterruptedException, CommandFailure {
    boolean posted = directory.equals(Output.STANDARD);
    check(posted);
    Path from = posted ? null : Path.of(directory);
    if (from != null && !Files.isDirectory(from)) {
      throw new CommandFailure(from + ": no such directory");
    }
    CountDownLatch cleaned = new CountDownLatch(1);
    try {
      return run(from, cleaned);
    } finally {
      cleaned.countDown();
    }
  }

  private int run(@Nullable Path from, CountDownLatch cleaned)
      throws IOException, InterruptedException, CommandFailure {
    List<Taker> takers = new ArrayList<>();
    try {
      addTakers(takers);
      return run(from, takers, cleaned);
    } finally {
      for (Taker taker : takers) {
        taker.close();
      }
    }
  }

  private void check(boolean posted) {
    if (receiver.isGiven() == (dataset != null)) {
      throw new WrongUsage("give --endpoint or --dataset, one of both");
    }
    if (messages && dataset == null) {
      throw new WrongUsage("--messages needs --dataset");
    }
    checkCompaction();
    if (posted && port == null) {
      throw new WrongUsage("- needs --port, where recordings are posted");
    }
    if (posted && once) {
      throw new WrongUsage("--once needs a directory");
    }
    if (workers < 1) {
      throw new WrongUsage("--workers must be at least 1");
    }
    if (age < 0) {
      throw new WrongUsage("--age must not be negative");
    }
  }

  private void checkCompaction() {
    if (compact != null && dataset == null) {
      throw new WrongUsage("--compact needs --dataset");
    }
    if (compact != null && compact < 1) {
      throw new WrongUsage("--compact must be at least 1");
    }
    if (keep != null && compact == null) {
      throw new WrongUsage("--keep needs --compact");
    }
    if (keep != null && keep < 1) {
      throw new WrongUsage("--keep must be at least 1");
    }
  }

  private void addTakers(List<Taker> takers) throws IOException, CommandFailure {
    if (dataset == null) {
      PushTarget target = receiver.target();
      for (int i = 0; i < workers; i++) {
        takers.add(new PushTaker(target, TimeUnit.SECONDS.toMillis(10)));
      }
      return;
    }
    SqlEngine found = Engines.sql();
    engine = found;
    for (int i = 0; i < workers; i++) {
      takers.add(new DatasetTaker(found.dataset(dataset, messages)));
    }
  }

  private int run(@Nullable Path from, List<Taker> takers, CountDownLatch cleaned)
      throws IOException, InterruptedException, CommandFailure {
    Watch watch = new Watch(from, takers, terminal).age(TimeUnit.SECONDS.toMillis(age));
    Path noted = journal;
    if (noted == null) {
      noted = Path.of(directory).resolve(".buftrail-watch");
    }
    WatchServer server = server(watch);
    // From here on the watch runs and ends, which is what the thread waits for.
    Thread end = new Thread(() -> end(watch, cleaned), "buftrail-watch-end");
    Runtime.getRuntime().addShutdownHook(end);
    Compaction compaction = compaction();
    try {
      if (server != null) {
        terminal.note("buftrail: listening at " + server.address());
      }
      long failed = watch.run(noted, once);
      boolean isCompacted = !once || compactNow() == Exit.DONE;
      return once && (failed > 0 || !isCompacted) ? Exit.FAILED : Exit.DONE;
    } finally {
      if (compaction != null) {
        compaction.close();
      }
      if (server != null) {
        server.close();
      }
      forget(end);
    }
  }

  private @Nullable Compaction compaction() {
    return compact == null || once
        ? null
        : new Compaction(this::compactNow, TimeUnit.HOURS.toMillis(compact), this::fail);
  }

  private int compactNow() throws IOException, CommandFailure {
    return compact == null || dataset == null || engine == null
        ? Exit.DONE
        : engine.compact(dataset, keep == null ? 0 : keep, terminal);
  }

  private void fail(String line) {
    synchronized (terminal) {
      terminal.fail(line);
    }
  }

  private @Nullable WatchServer server(Watch watch) throws CommandFailure {
    if (port == null) {
      return null;
    }
    try {
      return new WatchServer(watch, port, largest.value());
    } catch (IOException e) {
      throw new CommandFailure(
          "--port " + port + ": " + e.getMessage() + "; name another, or 0 for any", e);
    }
  }

  /** Ends a watch; the JVM goes on to its end when all is closed. */
  private static void end(Watch watch, CountDownLatch cleaned) {
    watch.stop();
    try {
      cleaned.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private static void forget(Thread end) {
    try {
      Runtime.getRuntime().removeShutdownHook(end);
    } catch (IllegalStateException e) {
      // It runs.
      return;
    }
  }
}
