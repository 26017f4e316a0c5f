package org.buftrail.cli;

import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.UnmatchedArgumentException;

/** Says what is wrong with a command line, and which word was probably meant. */
final class WrongWord {
  /** As the parser names what may be chosen, by the names of constants. */
  private static final Pattern CHOICE =
      Pattern.compile("expected one of \\[([A-Z_, ]+)] \\(case-insensitive\\)");

  private static final String OPTION = "option '([^']+)'(?: \\([^)]*\\))?";

  /** The parser's sentences, and ours. */
  private static final Map<Pattern, String> PLAIN =
      Map.of(
          Pattern.compile("^Invalid value for positional parameter at index \\d+ \\((\\S+)\\):"),
          "$1:",
          Pattern.compile("^Invalid value for " + OPTION + ":"),
          "$1:",
          Pattern.compile("^Missing required parameter: '([^']+)'$"),
          "$1 is missing",
          Pattern.compile("^Missing required parameter for option '([^']+)' \\((\\S+)\\)$"),
          "$1 needs $2",
          Pattern.compile(
              "^Value for option option '([^']+)' \\((\\S+)\\) should be in KEY=VALUE format but was"
                  + " (.*)$"),
          "$1: '$3' is not $2");

  private WrongWord() {}

  /** The parser's message in the user's words. */
  static String describe(ParameterException e) {
    if (e instanceof UnmatchedArgumentException unmatched && !unmatched.getUnmatched().isEmpty()) {
      return unknown(unmatched.getUnmatched().get(0), e.getCommandLine());
    }
    String said =
        String.valueOf(e.getMessage())
            .replace("' is not a long", "' is not a whole number")
            .replace("' is not an int", "' is not a whole number");
    for (Map.Entry<Pattern, String> sentence : PLAIN.entrySet()) {
      said = sentence.getKey().matcher(said).replaceFirst(sentence.getValue());
    }
    return CHOICE
        .matcher(said)
        .replaceAll(choice -> "expected " + choice.group(1).toLowerCase(Locale.ROOT));
  }

  private static String unknown(String word, CommandLine command) {
    boolean option = word.startsWith("-");
    Set<String> known =
        new TreeSet<>(
            option
                ? command.getCommandSpec().optionsMap().keySet()
                : command.getSubcommands().keySet());
    String what = option ? "option" : known.isEmpty() ? "argument" : "command";
    String meant = nearest(option ? word.split("=", 2)[0] : word, known);
    return "unknown "
        + what
        + " '"
        + word
        + "'"
        + (meant == null ? "" : " (did you mean '" + meant + "'?)");
  }

  /** The word with the fewest changes, if they are few for its length. */
  private static @Nullable String nearest(String word, Set<String> known) {
    String nearest = null;
    int least = 1 + word.length() / 3;
    for (String each : known) {
      int changes = changes(word.toLowerCase(Locale.ROOT), each.toLowerCase(Locale.ROOT));
      if (changes < least || (changes == least && nearest == null)) {
        least = changes;
        nearest = each;
      }
    }
    return nearest;
  }

  /** How many letters have to be added, taken away or replaced. */
  private static int changes(String a, String b) {
    int[] row = new int[b.length() + 1];
    for (int j = 0; j <= b.length(); j++) {
      row[j] = j;
    }
    for (int i = 1; i <= a.length(); i++) {
      int diagonal = row[0];
      row[0] = i;
      for (int j = 1; j <= b.length(); j++) {
        int replaced = diagonal + (a.charAt(i - 1) == b.charAt(j - 1) ? 0 : 1);
        diagonal = row[j];
        row[j] = Math.min(replaced, 1 + Math.min(row[j], row[j - 1]));
      }
    }
    return row[b.length()];
  }
}
