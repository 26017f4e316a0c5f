package org.buftrail.boot;

import java.io.File;
import java.io.IOException;
import java.util.Properties;

/** What the JVM was started for, as its properties say. */
final class Surroundings {
  /** Tools that run somebody's program in the same JVM. */
  private static final String[] LAUNCHERS = {
    "com.sun.tools.javac.launcher.", "jdk.jshell.execution."
  };

  private Surroundings() {}

  /**
   * Whether this JVM runs no application: a tool of the JDK, such as {@code jcmd} or {@code javac},
   * whose main classes lie in its modules, or the command line of this jar.
   *
   * @param jar this one
   */
  static boolean isTool(Properties properties, String jar) {
    String command = properties.getProperty("sun.java.command", "");
    if (command.startsWith("org.buftrail.cli.") || command.startsWith("org.buftrail.boot.")) {
      return true;
    }
    String path = properties.getProperty("java.class.path", "");
    if ((command + ' ').startsWith(path + ' ') && isSame(path, jar)) {
      return true;
    }
    int slash = command.split(" ", 2)[0].indexOf('/');
    return slash > 0
        && (command.startsWith("jdk.") || command.startsWith("java."))
        && !isLauncher(command, slash + 1);
  }

  private static boolean isLauncher(String command, int from) {
    for (String launcher : LAUNCHERS) {
      if (command.startsWith(launcher, from)) {
        return true;
      }
    }
    return false;
  }

  private static boolean isSame(String file, String other) {
    try {
      return new File(file).getCanonicalPath().equals(new File(other).getCanonicalPath());
    } catch (IOException e) {
      return false;
    }
  }
}
