package org.buftrail.jfr;

import java.util.Locale;
import java.util.StringJoiner;
import java.util.StringTokenizer;

/**
 * The command line of a recorded process without what may be secret: values of properties whose
 * names sound like it, options of agents, and all arguments of the program itself.
 */
final class CommandLine {
  private static final String[] SECRETS = {
    "pass", "pwd", "secret", "token", "credential", "auth", "key", "private", "cert"
  };
  private static final String HIDDEN = "***";

  private CommandLine() {}

  /**
   * Puts the line together.
   *
   * @param jvmArguments options of the JVM
   * @param javaArguments main class or jar, and the program's arguments
   */
  static String of(String jvmArguments, String javaArguments) {
    StringJoiner line = new StringJoiner(" ");
    line.add("java");
    // A pattern to split at takes longer than the rest, in a JVM that is started for one recording.
    StringTokenizer arguments = new StringTokenizer(jvmArguments);
    while (arguments.hasMoreTokens()) {
      String argument = arguments.nextToken();
      // A value with spaces cannot be told from the next option: only options are kept.
      if (argument.startsWith("-")) {
        line.add(hide(argument));
      }
    }
    String program = program(javaArguments);
    if (!program.isEmpty()) {
      line.add(program);
    }
    return line.toString();
  }

  /** The main class or jar. */
  static String program(String javaArguments) {
    StringTokenizer arguments = new StringTokenizer(javaArguments);
    String first = arguments.hasMoreTokens() ? arguments.nextToken() : "";
    return first.substring(first.lastIndexOf('/') + 1);
  }

  private static String hide(String argument) {
    int equals = argument.indexOf('=');
    if (equals < 0) {
      return argument;
    }
    String name = argument.substring(0, equals).toLowerCase(Locale.ROOT);
    boolean agent = name.startsWith("-javaagent:") || name.startsWith("-agent");
    return agent || soundsSecret(name) ? argument.substring(0, equals + 1) + HIDDEN : argument;
  }

  private static boolean soundsSecret(String name) {
    for (String secret : SECRETS) {
      if (name.contains(secret)) {
        return true;
      }
    }
    return false;
  }
}
