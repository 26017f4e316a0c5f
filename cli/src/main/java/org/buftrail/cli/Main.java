package org.buftrail.cli;

import java.io.PrintStream;
import java.util.concurrent.Callable;
import org.buftrail.cli.commands.ConvertCommand;
import org.buftrail.cli.commands.InfoCommand;
import org.buftrail.cli.options.PlainArguments;
import org.buftrail.cli.output.Exit;
import org.buftrail.cli.output.Output;
import org.buftrail.cli.output.Terminal;
import org.jspecify.annotations.Nullable;

/**
 * The {@code buftrail} command.
 *
 * <p>It ends with one of the codes of {@link Exit}. Every error is one line on standard error.
 */
public final class Main {
  private static final String CONVERT = "convert";
  private static final String INFO = "info";

  private Main() {}

  /**
   * Runs a command and ends the JVM with its exit code. A short command that succeeds ends by
   * returning, if it is alone in its group of threads: from JDK 21 on, to exit takes a twentieth of
   * its time, for a logger.
   */
  public static void main(String[] args) {
    int exit = run(args, System.out, System.err);
    boolean isShort = args.length > 0 && (args[0].equals(CONVERT) || args[0].equals(INFO));
    if (exit != Exit.DONE || !isShort || Thread.activeCount() > 1) {
      System.exit(exit);
    }
  }

  /** Runs a command that prints to the given streams, and returns its exit code. */
  static int run(String[] args, PrintStream out, PrintStream err) {
    Terminal terminal = new Terminal(out, err);
    try {
      Callable<Integer> plain = plain(args, terminal);
      int exit =
          plain != null ? run(plain, args[0], terminal) : Parser.run(args, terminal, out, err);
      return Output.check(exit, out, terminal);
    } catch (OutOfMemoryError e) {
      long megabytes = Runtime.getRuntime().maxMemory() >> 20;
      terminal.fail("out of memory with a heap of " + megabytes + " MB; give more with java -Xmx");
      return Exit.FAILED;
    }
  }

  /** The command, if it is one that is often short and is named without options; else null. */
  private static @Nullable Callable<Integer> plain(String[] args, Terminal terminal) {
    String name = args.length == 0 ? "" : args[0];
    if (!name.equals(CONVERT) && !name.equals(INFO) && !name.equals("rehearse")) {
      return null;
    }
    PlainArguments arguments = PlainArguments.read(args, !name.equals(INFO));
    if (arguments == null) {
      return null;
    }
    return switch (name) {
      case CONVERT -> new ConvertCommand(terminal, arguments);
      case INFO -> new InfoCommand(terminal, arguments);
      default -> new ArchiveTraining(arguments);
    };
  }

  private static int run(Callable<Integer> command, String name, Terminal terminal) {
    try {
      return command.call();
    } catch (Exception e) {
      return Exit.failed(e, "buftrail " + name, terminal);
    }
  }
}
