package org.buftrail.cli.options;

import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Reads a command line by the table of the command's options, without the parser's library, which
 * takes longer to start than a short conversion takes.
 *
 * <p>It reads as that library does, and leaves the rest to it: errors, requests for help, and what
 * is rarely written.
 */
public final class ArgumentReader {
  private ArgumentReader() {}

  /**
   * Reads what follows the command's name.
   *
   * @param command holds part of the line if it is not read
   * @return whether it was read; else it is for the parser
   */
  public static boolean read(String[] args, TableCommand command) {
    try {
      return readAll(args, command);
    } catch (IllegalArgumentException e) {
      // The parser says what is wrong.
      return false;
    }
  }

  private static boolean readAll(String[] args, TableCommand command) throws InvalidPathException {
    List<CommandOption> options = command.options();
    List<Path> files = new ArrayList<>();
    for (int i = 1; i < args.length; i++) {
      String argument = args[i];
      if (isFile(argument)) {
        files.add(Path.of(argument));
        continue;
      }
      int equals = argument.startsWith("--") ? argument.indexOf('=') : -1;
      CommandOption option = find(options, equals < 0 ? argument : argument.substring(0, equals));
      if (option == null || (option.isGiven() && !option.isList())) {
        return false;
      }
      if (!option.takesValue()) {
        if (equals >= 0) {
          return false;
        }
        option.take("");
        continue;
      }
      String value = equals >= 0 ? argument.substring(equals + 1) : next(args, ++i);
      if (!isValue(value) || (option.isSplit() && !isList(value))) {
        return false;
      }
      option.take(value);
    }
    return command.files(files);
  }

  private static String next(String[] args, int at) {
    return at < args.length ? args[at] : "";
  }

  private static @Nullable CommandOption find(List<CommandOption> options, String name) {
    for (int i = 0; i < options.size(); i++) {
      if (options.get(i).isNamed(name)) {
        return options.get(i);
      }
    }
    return null;
  }

  private static boolean isFile(String argument) {
    return isValue(argument) && (argument.charAt(0) != '-' || argument.length() == 1);
  }

  /**
   * Whether the parser would take it as it stands: no option, file of arguments or quotation. A
   * negative number is a value, and a hyphen the standard input or output.
   */
  private static boolean isValue(String argument) {
    if (argument.isEmpty() || "@\"'".indexOf(argument.charAt(0)) >= 0) {
      return false;
    }
    return argument.charAt(0) != '-'
        || argument.length() == 1
        || (argument.charAt(1) >= '0' && argument.charAt(1) <= '9');
  }

  /** Whether no value between commas is empty or quoted. */
  private static boolean isList(String value) {
    return value.indexOf('"') < 0
        && !value.startsWith(",")
        && !value.endsWith(",")
        && !value.contains(",,");
  }
}
