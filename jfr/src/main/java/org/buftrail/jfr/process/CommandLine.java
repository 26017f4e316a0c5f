package org.buftrail.jfr.process;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.StringTokenizer;

/**
 * The command line of a recorded process without what may be secret: values of properties whose
 * names sound like it, such parts of other values, passwords in URLs, options of agents, and all
 * arguments of the program itself.
 */
public final class CommandLine {
  private static final String[] SECRETS = {
    "pass", "pwd", "secret", "token", "credential", "auth", "key", "private", "cert", "jwt"
  };

  /** What counts only as a whole word: {@code pat} is in paths, and {@code sig} in signals. */
  private static final List<String> SECRET_WORDS = List.of("pat", "sig", "sas", "pw");

  /** The separators of the parts of a value. */
  private static final String SEPARATORS = ";&?,";

  private static final String HIDDEN = "***";

  private CommandLine() {}

  /**
   * Puts the line together.
   *
   * @param jvmArguments options of the JVM
   * @param javaArguments main class or jar, and the program's arguments
   */
  public static String of(String jvmArguments, String javaArguments) {
    return String.join(" ", arguments(jvmArguments, javaArguments));
  }

  /** The parts of the line that {@link #of} puts together. */
  static List<String> arguments(String jvmArguments, String javaArguments) {
    List<String> line = new ArrayList<>();
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
    return line;
  }

  /** The main class or jar. */
  public static String program(String javaArguments) {
    StringTokenizer arguments = new StringTokenizer(javaArguments);
    String first = arguments.hasMoreTokens() ? arguments.nextToken() : "";
    return first.substring(first.lastIndexOf('/') + 1);
  }

  private static String hide(String argument) {
    int equals = argument.indexOf('=');
    if (equals < 0) {
      return hidePasswords(argument);
    }
    int start = argument.startsWith("-D") ? 2 : 0;
    String name = argument.substring(start, equals).toLowerCase(Locale.ROOT);
    boolean agent = name.startsWith("-javaagent:") || name.startsWith("-agent");
    String value =
        agent || soundsSecret(name)
            ? HIDDEN
            : hideParts(hidePasswords(argument.substring(equals + 1)));
    return argument.substring(0, equals + 1) + value;
  }

  /** Hides {@code scheme://user:THIS@host}, or all before the host if there is no user. */
  private static String hidePasswords(String value) {
    StringBuilder shown = new StringBuilder();
    int copied = 0;
    for (int at = value.indexOf("://"); at >= 0; at = value.indexOf("://", at + 3)) {
      int secret = at + 3;
      boolean hasUser = false;
      int host = -1;
      for (int i = at + 3; i < value.length() && "/?#".indexOf(value.charAt(i)) < 0; i++) {
        char c = value.charAt(i);
        if (c == '@') {
          host = i;
        } else if (c == ':' && !hasUser && host < 0) {
          hasUser = true;
          secret = i + 1;
        }
      }
      if (host > secret) {
        shown.append(value, copied, secret).append(HIDDEN);
        copied = host;
      }
    }
    return shown.append(value, copied, value.length()).toString();
  }

  /** Hides parts such as {@code password=THIS}. */
  private static String hideParts(String value) {
    StringBuilder shown = new StringBuilder();
    boolean hides = false;
    StringTokenizer parts = new StringTokenizer(value, SEPARATORS, true);
    while (parts.hasMoreTokens()) {
      String part = parts.nextToken();
      int equals = part.indexOf('=');
      if (equals >= 0) {
        hides = soundsSecret(lastName(part, equals));
        shown.append(part, 0, equals + 1).append(hides ? HIDDEN : part.substring(equals + 1));
      } else if (!hides || SEPARATORS.contains(part)) {
        // Another hidden part may be the rest of a secret that contains a separator.
        shown.append(part);
      }
    }
    return shown.toString();
  }

  /** The name before an equals sign, without what comes before it in a URL. */
  private static String lastName(String part, int equals) {
    int start = equals;
    while (start > 0 && ":/@#".indexOf(part.charAt(start - 1)) < 0) {
      start--;
    }
    return part.substring(start, equals).toLowerCase(Locale.ROOT);
  }

  private static boolean soundsSecret(String name) {
    for (String secret : SECRETS) {
      if (name.contains(secret)) {
        return true;
      }
    }
    StringTokenizer words = new StringTokenizer(name, "-._:");
    while (words.hasMoreTokens()) {
      if (SECRET_WORDS.contains(words.nextToken())) {
        return true;
      }
    }
    return false;
  }
}
