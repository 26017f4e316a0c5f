package org.buftrail.cli;

import java.io.PrintStream;

/** The commands in the JVM of a test that is in another package. */
public final class InProcess {
  private InProcess() {}

  /** Runs a command; answers its exit code. */
  public static int run(PrintStream out, PrintStream err, String... args) {
    return Main.run(args, out, err);
  }
}
