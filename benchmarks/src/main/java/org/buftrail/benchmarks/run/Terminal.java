package org.buftrail.benchmarks.run;

import java.io.PrintStream;

/** The only place that prints: tables on standard output, progress on standard error. */
final class Terminal {
  private final PrintStream out;
  private final PrintStream err;

  Terminal(PrintStream out, PrintStream err) {
    this.out = out;
    this.err = err;
  }

  void print(String text) {
    out.print(text);
    out.flush();
  }

  void progress(String line) {
    err.println(line);
  }

  void fail(String message) {
    err.println("buftrail bench: " + message);
  }
}
