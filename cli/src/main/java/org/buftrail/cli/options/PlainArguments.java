package org.buftrail.cli.options;

import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A command line of files, and at most the option that says where the output goes.
 *
 * <p>The parser takes longer to start than a short conversion takes, so what needs no parser is
 * read here. Whatever is not entirely plain is left to the parser, errors too.
 *
 * @param files at least one
 * @param output as given, or null
 */
public record PlainArguments(List<Path> files, @Nullable String output) {
  /** Reads what follows the command's name; null if that is for the parser. */
  public static @Nullable PlainArguments read(String[] args, boolean withOutput) {
    try {
      return readNames(args, withOutput);
    } catch (InvalidPathException e) {
      return null;
    }
  }

  private static @Nullable PlainArguments readNames(String[] args, boolean withOutput) {
    List<Path> files = new ArrayList<>();
    String output = null;
    for (int i = 1; i < args.length; i++) {
      boolean option = withOutput && (args[i].equals("-o") || args[i].equals("--output"));
      if (option && output == null && i + 1 < args.length && isName(args[i + 1])) {
        i++;
        output = args[i];
      } else if (isName(args[i])) {
        files.add(Path.of(args[i]));
      } else {
        return null;
      }
    }
    return files.isEmpty() ? null : new PlainArguments(files, output);
  }

  /** Whether the parser would take it as it stands: no option, file of arguments or quotation. */
  private static boolean isName(String argument) {
    return !argument.isEmpty() && "-@\"'".indexOf(argument.charAt(0)) < 0;
  }
}
