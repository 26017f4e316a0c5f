package org.buftrail.cli.commands;

import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.TreeSet;
import org.buftrail.cli.options.CommandOption;
import org.buftrail.cli.options.Flag;
import org.buftrail.cli.options.TableCommand;
import org.buftrail.console.output.Damages;
import org.buftrail.console.output.Exit;
import org.buftrail.console.output.Terminal;
import org.buftrail.jfr.Conversion;
import org.buftrail.jfr.Recording;
import org.buftrail.jfr.RecordingException;
import org.buftrail.jfr.Stats;
import org.buftrail.jfr.kinds.EventKind;
import org.buftrail.jfr.kinds.Kinds;
import org.buftrail.profile.text.Printable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** {@code info}: what a recording holds, without converting it. */
@Command(
    name = "info",
    description = {
      "Says what recordings hold: events by type, the process, and the time.",
      "Beside each type stand the profiles that its events may go to.",
      ""
    },
    mixinStandardHelpOptions = true,
    sortOptions = false)
public final class InfoCommand implements TableCommand {
  private final Terminal terminal;

  @Parameters(
      arity = "1..*",
      paramLabel = "FILE",
      description =
          "Recordings, plain or packed; directories and globs of them; pipes; - for standard"
              + " input.")
  private List<Path> files = new ArrayList<>();

  private final Flag lenient =
      new Flag("--lenient", "Exit with 0 also when a recording is damaged.");

  public InfoCommand(Terminal terminal) {
    this.terminal = terminal;
  }

  @Override
  public List<CommandOption> options() {
    return List.of(lenient);
  }

  @Override
  public boolean files(List<Path> given) {
    files = given;
    return !given.isEmpty();
  }

  @Override
  public Integer call() throws Exception {
    int exit = Exit.DONE;
    for (Path file : files) {
      try {
        Conversion found = Recording.matching(List.of(file)).inspect();
        terminal.print(describe(file, found));
        exit = Math.max(exit, Damages.report(found, lenient.isGiven(), terminal));
      } catch (RecordingException e) {
        exit = Exit.failed(e, terminal);
      }
    }
    return exit;
  }

  private static String describe(Path file, Conversion found) {
    Stats stats = found.stats();
    Duration duration = Duration.ofNanos(stats.duration());
    StringBuilder text = new StringBuilder();
    text.append(
        String.format(
            Locale.ROOT,
            "%s: %d chunk%s, %,d bytes, %s, %d.%03d s%n",
            Printable.line(file.toString()),
            stats.chunks(),
            stats.chunks() == 1 ? "" : "s",
            stats.bytes(),
            Instant.ofEpochSecond(0, stats.start()),
            duration.toSeconds(),
            duration.toMillisPart()));
    found
        .profiles()
        .resource()
        .asMap()
        .forEach(
            (key, value) ->
                text.append("  ").append(Printable.line(key + ": " + value)).append('\n'));
    text.append(
        String.format(
            Locale.ROOT, "%-48s %12s %14s  %s%n", "event", "found", "bytes", "may go to"));
    for (Stats.Row row : stats.rows()) {
      text.append(
          String.format(
              Locale.ROOT,
              "%-48s %12d %14d  %s%n",
              Printable.line(row.event()),
              row.found(),
              row.bytes(),
              profiles(Kinds.of(row.event()))));
    }
    return text.toString();
  }

  /** The profiles that events go to; a hyphen if there are none. */
  private static String profiles(@Nullable EventKind kind) {
    if (kind == null) {
      return "-";
    }
    return String.join(", ", new TreeSet<>(kind.profiles()));
  }
}
