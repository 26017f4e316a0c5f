package org.buftrail.boot;

import java.lang.reflect.InvocationTargetException;

/** Command-line entry: checks the Java version, then hands over to the command line proper. */
public final class Main {
  private static final int OLDEST_JAVA = 17;
  private static final String COMMAND_LINE = "org.buftrail.cli.Main";

  private Main() {}

  /** Runs a command and ends the JVM with its exit code. */
  public static void main(String[] args) throws ReflectiveOperationException {
    int java = JavaVersion.current();
    if (java < OLDEST_JAVA) {
      System.err.println(
          "buftrail: the command line needs Java 17 or later, this is Java "
              + java
              + "; set JAVA_HOME or PATH to a newer one (the agent runs on Java 11 and later)");
      System.exit(1);
    }
    try {
      Class.forName(COMMAND_LINE).getMethod("main", String[].class).invoke(null, (Object) args);
    } catch (InvocationTargetException e) {
      throw new IllegalStateException(e.getCause());
    }
  }
}
