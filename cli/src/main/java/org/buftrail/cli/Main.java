package org.buftrail.cli;

import java.io.PrintStream;
import java.util.List;
import org.buftrail.cli.commands.CheckCommand;
import org.buftrail.cli.commands.ConvertCommand;
import org.buftrail.cli.commands.DiffCommand;
import org.buftrail.cli.commands.InfoCommand;
import org.buftrail.cli.commands.ReportCommand;
import org.buftrail.cli.options.ArgumentReader;
import org.buftrail.cli.options.TableCommand;
import org.buftrail.console.output.Exit;
import org.buftrail.console.output.Output;
import org.buftrail.console.output.Terminal;
import org.jspecify.annotations.Nullable;

/**
 * The {@code buftrail} command.
 *
 * <p>It ends with one of the codes of {@link Exit}. Every error is one line on standard error.
 */
public final class Main {
  /** What ends soon, and leaves no thread behind. */
  private static final List<String> SHORT = List.of("convert", "info", "check", "report", "diff");

  private Main() {}

  /**
   * Runs a command and ends the JVM with its exit code. A short command that succeeds ends by
   * returning, if it is alone in its group of threads: from JDK 21 on, to exit takes a twentieth of
   * its time, for a logger.
   */
  public static void main(String[] args) {
    boolean isShort = args.length > 0 && SHORT.contains(args[0]);
    if (isShort) {
      ShortRun.prepare(args);
    }
    int exit = run(args, System.out, System.err);
    if (exit != Exit.DONE || !isShort || Thread.activeCount() > 1) {
      System.exit(exit);
    }
  }

  /** Runs a command that prints to the given streams, and returns its exit code. */
  static int run(String[] args, PrintStream out, PrintStream err) {
    Terminal terminal = new Terminal(out, err);
    try {
      TableCommand plain = plain(args, terminal);
      int exit =
          plain != null ? run(plain, args[0], terminal) : Parser.run(args, terminal, out, err);
      return Output.check(exit, out, terminal);
    } catch (OutOfMemoryError e) {
      terminal.fail(Exit.unexpected(e));
      return Exit.FAILED;
    }
  }

  /** The command, if it is one that is often short and its line is plain; else null. */
  private static @Nullable TableCommand plain(String[] args, Terminal terminal) {
    TableCommand command = args.length == 0 ? null : command(args[0], terminal);
    return command != null && ArgumentReader.read(args, command) ? command : null;
  }

  private static @Nullable TableCommand command(String name, Terminal terminal) {
    return switch (name) {
      case "convert" -> new ConvertCommand(terminal);
      case "info" -> new InfoCommand(terminal);
      case "check" -> new CheckCommand(terminal);
      case "report" -> new ReportCommand(terminal);
      case "diff" -> new DiffCommand(terminal);
      case "rehearse" -> new ArchiveTraining();
      default -> null;
    };
  }

  private static int run(TableCommand command, String name, Terminal terminal) {
    try {
      return command.call();
    } catch (Exception e) {
      return Exit.failed(e, "buftrail " + name, terminal);
    }
  }
}
