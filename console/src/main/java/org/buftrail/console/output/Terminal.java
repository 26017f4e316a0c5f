package org.buftrail.console.output;

import java.io.PrintStream;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.buftrail.profile.text.Printable;

/**
 * The only place that prints: results on standard output, everything said about them on standard
 * error. What controls a terminal is shown as {@link Printable} says, since most text is of files.
 *
 * <p>Used from one thread.
 */
public final class Terminal {
  private final PrintStream out;
  private final PrintStream err;
  private final boolean kept;

  /** What users call the files that they did not name. */
  private final Map<String, String> names = new ConcurrentHashMap<>();

  public Terminal(PrintStream out, PrintStream err) {
    this(out, err, false);
  }

  /**
   * @param kept whether what is printed will be shown later, so that nothing can be overwritten
   */
  public Terminal(PrintStream out, PrintStream err, boolean kept) {
    this.out = out;
    this.err = err;
    this.kept = kept;
  }

  /** Calls a file by another name from now on, wherever it is named. Thread-safe. */
  public void name(Path file, Path name) {
    names.put(file.toString(), name.toString());
  }

  private String named(String text) {
    String named = text;
    // Mostly there are none, and then nothing may be loaded for it.
    if (!names.isEmpty()) {
      for (Map.Entry<String, String> name : names.entrySet()) {
        named = named.replace(name.getKey(), name.getValue());
      }
    }
    return named;
  }

  /** A result. */
  public void print(String text) {
    out.print(Printable.lines(named(text)));
    out.flush();
  }

  /** A line of a result. */
  public void line(String text) {
    out.println(Printable.line(named(text)));
  }

  /** Text of our own with what controls a terminal, where standard output is one. */
  public void screen(String text) {
    out.print(text);
    out.flush();
  }

  /** A line about the work, which does not belong into a pipe. */
  public void note(String text) {
    err.println(Printable.lines(named(text)));
  }

  /** Text of our own that will be overwritten, and what controls a terminal. */
  public void transientText(String text) {
    if (!kept) {
      err.print(text);
      err.flush();
    }
  }

  /** Why a command fails: one line. */
  public void fail(String message) {
    String line = message.replace('\r', ' ').replace('\n', ' ');
    err.println("buftrail: " + Printable.line(named(line)));
  }

  /** What another terminal was given, as it came out there. */
  public void repeat(String printed, String said) {
    err.print(named(said));
    err.flush();
    out.print(named(printed));
    out.flush();
  }

  /** Whether a stream is that of the process. */
  static boolean isStandardOutput(PrintStream stream) {
    return stream == System.out;
  }

  /** Standard output as bytes, for {@code -o -}. */
  PrintStream bytes() {
    return out;
  }
}
