package org.buftrail.console.output;

import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.regex.Pattern;
import org.buftrail.console.input.Sources;
import org.buftrail.jfr.RecordingException;
import org.buftrail.profile.input.ProfileSource;

/** The codes with which commands end, and what is said when one fails. */
public final class Exit {
  public static final int DONE = 0;
  public static final int FAILED = 1;
  static final int WRONG_USAGE = 2;

  /** What a shell says of a command that writes into a pipe which nobody reads any more. */
  static final int CLOSED_PIPE = 141;

  /** How the JVM's errors begin that a larger heap helps against. */
  private static final Pattern OF_HEAP =
      Pattern.compile("^(Java heap space|GC overhead|Requested array size)");

  private Exit() {}

  /** Says what is wrong with the usage of a command. */
  public static int wrongUsage(Exception e, String command, Terminal terminal) {
    terminal.fail(e.getMessage() + "; see " + command + " --help");
    return WRONG_USAGE;
  }

  /** Says why a command failed. */
  public static int failed(Exception e, String command, Terminal terminal) {
    if (e instanceof WrongUsage) {
      return wrongUsage(e, command, terminal);
    }
    return failed(e, terminal);
  }

  /** Says why a command failed, and why more did. */
  public static int failed(Exception e, Terminal terminal) {
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

  /** What is said of a failure. */
  public static String describe(Exception e) {
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
    return e instanceof IOException ? message : unexpected(e);
  }

  /** What is said of an error that nobody foresaw, and of memory that was too small. */
  public static String unexpected(Throwable e) {
    if (e instanceof OutOfMemoryError) {
      String message = String.valueOf(e.getMessage());
      if (!OF_HEAP.matcher(message).find()) {
        return "out of memory: " + message;
      }
      long megabytes = Runtime.getRuntime().maxMemory() >> 20;
      return "out of memory with a heap of " + megabytes + " MB; give more with java -Xmx";
    }
    return "unexpected " + e;
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
