package org.buftrail.cli;

import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import org.buftrail.cli.input.Sources;
import org.buftrail.jfr.RecordingException;
import org.buftrail.profile.input.ProfileSource;
import org.jspecify.annotations.Nullable;

/**
 * The {@code buftrail} command.
 *
 * <p>Exit codes: 0 done, 1 failed, 2 wrong usage; 141, as the shell says of others, when the reader
 * of a pipe has gone. Every error is one line on standard error.
 */
public final class Main {
  static final int DONE = 0;
  static final int FAILED = 1;
  static final int WRONG_USAGE = 2;

  /** What a shell says of a command that writes into a pipe which nobody reads any more. */
  static final int CLOSED_PIPE = 141;

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
    if (exit != DONE || !isShort || Thread.activeCount() > 1) {
      System.exit(exit);
    }
  }

  /** Whether a stream is that of the process. */
  static boolean isStandardOutput(PrintStream stream) {
    return stream == System.out;
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
      return FAILED;
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
      default -> new Rehearsal(arguments);
    };
  }

  private static int run(Callable<Integer> command, String name, Terminal terminal) {
    try {
      return command.call();
    } catch (Exception e) {
      return failed(e, "buftrail " + name, terminal);
    }
  }

  /** Says what is wrong with the usage of a command. */
  static int wrongUsage(Exception e, String command, Terminal terminal) {
    terminal.fail(e.getMessage() + "; see " + command + " --help");
    return WRONG_USAGE;
  }

  /** Says why a command failed. */
  static int failed(Exception e, String command, Terminal terminal) {
    if (e instanceof WrongUsage) {
      return wrongUsage(e, command, terminal);
    }
    return failed(e, terminal);
  }

  /** Says why a command failed, and why more did. */
  static int failed(Exception e, Terminal terminal) {
    if (e instanceof ClosedPipe) {
      return CLOSED_PIPE;
    }
    terminal.fail(describe(e));
    for (Throwable other : e.getSuppressed()) {
      if (other instanceof RecordingException failure) {
        terminal.fail(describe(failure));
      }
    }
    return FAILED;
  }

  private static String describe(Exception e) {
    String message = String.valueOf(e.getMessage());
    if (e instanceof CommandFailure) {
      return message;
    }
    if (e instanceof RecordingException failure) {
      return message + hint(Path.of(failure.file()));
    }
    if (e instanceof NoSuchFileException) {
      return message + ": no such file";
    }
    if (e instanceof AccessDeniedException) {
      return message + ": permission denied";
    }
    if (e instanceof FileSystemException failure && failure.getReason() != null) {
      return failure.getFile() + ": " + failure.getReason();
    }
    return e instanceof IOException ? message : "unexpected " + e;
  }

  /** What to say beside the error of a command that takes recordings alone. */
  private static String hint(Path file) {
    Sources sources = new Sources();
    ProfileSource source = sources.of(file);
    return source == null || sources.isRecording(file)
        ? ""
        : "; it is " + source.what() + ": buftrail report " + file;
  }
}
