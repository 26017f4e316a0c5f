package org.buftrail.cli;

import java.util.Arrays;
import picocli.CommandLine;
import picocli.CommandLine.Help;
import picocli.CommandLine.Help.Ansi.Text;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.UsageMessageSpec;

/**
 * Help whose lines break between words. The parser's library also breaks after a dot or a colon
 * within a word, such as a file's name; so these are letters while it lays out the text.
 */
final class WordwiseHelp extends Help {
  private static final String INSIDE_WORDS = ".:/=";

  /** From a character to the letter that stands for it, a Latin one in none of our texts. */
  private static final int SHIFT = 0x200;

  private WordwiseHelp(CommandSpec spec, ColorScheme scheme) {
    super(spec, scheme);
  }

  /** Has a command and its subcommands show their help in this way. */
  static void use(CommandLine line) {
    line.setHelpFactory(
        (spec, scheme) -> {
          keepWords(spec);
          spec.subcommands().values().forEach(command -> keepWords(command.getCommandSpec()));
          return new WordwiseHelp(spec, scheme);
        });
    use(line.getCommandSpec());
  }

  private static void use(CommandSpec spec) {
    spec.usageMessage()
        .sectionMap()
        .replaceAll((name, section) -> help -> plain(section.render(help)));
    spec.subcommands().values().forEach(command -> use(command.getCommandSpec()));
  }

  @Override
  public IOptionRenderer createDefaultOptionRenderer() {
    IOptionRenderer plain = super.createDefaultOptionRenderer();
    return (option, label, scheme) -> keepWords(plain.render(option, label, scheme), scheme);
  }

  @Override
  public IParameterRenderer createDefaultParameterRenderer() {
    IParameterRenderer plain = super.createDefaultParameterRenderer();
    return (parameter, label, scheme) -> keepWords(plain.render(parameter, label, scheme), scheme);
  }

  private static Text[][] keepWords(Text[][] rows, ColorScheme scheme) {
    for (Text[] row : rows) {
      int description = row.length - 1;
      row[description] = scheme.text(keepWords(row[description].plainString()));
    }
    return rows;
  }

  private static void keepWords(CommandSpec spec) {
    UsageMessageSpec usage = spec.usageMessage();
    usage.description(keepWords(usage.description()));
    usage.footer(keepWords(usage.footer()));
  }

  private static String[] keepWords(String[] lines) {
    return Arrays.stream(lines).map(WordwiseHelp::keepWords).toArray(String[]::new);
  }

  private static String keepWords(String text) {
    StringBuilder kept = new StringBuilder(text);
    for (int i = 0; i < text.length() - 1; i++) {
      char c = text.charAt(i);
      if (INSIDE_WORDS.indexOf(c) >= 0 && !Character.isWhitespace(text.charAt(i + 1))) {
        kept.setCharAt(i, (char) (c + SHIFT));
      }
    }
    return kept.toString();
  }

  private static String plain(String text) {
    StringBuilder plain = new StringBuilder(text);
    for (int i = 0; i < text.length(); i++) {
      char c = (char) (text.charAt(i) - SHIFT);
      if (INSIDE_WORDS.indexOf(c) >= 0) {
        plain.setCharAt(i, c);
      }
    }
    return plain.toString();
  }
}
