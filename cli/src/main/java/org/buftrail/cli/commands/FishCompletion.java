package org.buftrail.cli.commands;

import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import picocli.CommandLine;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Model.PositionalParamSpec;

/**
 * What fish needs to complete commands and options, which the parser's library has no script of.
 */
final class FishCompletion {
  private static final Pattern SENTENCE = Pattern.compile("(.*?)(?:[.;:] .*|\\.?$)");

  private final StringBuilder script = new StringBuilder();
  private final String name;

  private FishCompletion(String name) {
    this.name = name;
  }

  /** The script for a command line with all its commands. */
  static String of(CommandLine line) {
    FishCompletion completion = new FishCompletion(line.getCommandName());
    completion.options(line, "__fish_use_subcommand");
    line.getSubcommands().forEach(completion::command);
    return completion.script.toString();
  }

  private void command(String command, CommandLine line) {
    begin("__fish_use_subcommand", true).append(" -a ").append(command);
    describe(line.getCommandSpec().usageMessage().description()[0]);
    String seen = "__fish_seen_subcommand_from " + command;
    boolean files = false;
    for (PositionalParamSpec parameter : line.getCommandSpec().positionalParameters()) {
      files |= isFile(parameter.auxiliaryTypes());
    }
    if (!files) {
      begin(seen, true).append('\n');
    }
    options(line, seen);
  }

  private void options(CommandLine line, String when) {
    for (OptionSpec option : line.getCommandSpec().options()) {
      if (option.hidden()) {
        continue;
      }
      begin(when, false);
      for (String each : option.names()) {
        boolean isLong = each.startsWith("--");
        script.append(isLong ? " -l " : " -s ").append(each.substring(isLong ? 2 : 1));
      }
      if (option.arity().max() > 0) {
        script.append(isFile(option.auxiliaryTypes()) || isOutput(option) ? " -r -F" : " -x");
        if (option.completionCandidates() != null) {
          script.append(" -a ").append(quoted(String.join(" ", option.completionCandidates())));
        }
      }
      describe(String.join(" ", option.description()));
    }
  }

  private StringBuilder begin(String when, boolean noFiles) {
    script.append("complete -c ").append(name);
    return script.append(noFiles ? " -f" : "").append(" -n ").append(quoted(when));
  }

  /** The first sentence, as there is one line for it. */
  private void describe(String description) {
    Matcher sentence = SENTENCE.matcher(ManualPage.plain(description));
    String text = sentence.lookingAt() ? sentence.group(1) : "";
    script.append(" -d ").append(quoted(text)).append('\n');
  }

  private static boolean isFile(Class<?>[] types) {
    for (Class<?> type : types) {
      if (type == Path.class) {
        return true;
      }
    }
    return false;
  }

  private static boolean isOutput(OptionSpec option) {
    return option.longestName().equals("--output");
  }

  private static String quoted(String text) {
    return "'" + text.replace("\\", "\\\\").replace("'", "\\'") + "'";
  }
}
