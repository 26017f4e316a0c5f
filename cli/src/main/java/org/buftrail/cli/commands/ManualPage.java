package org.buftrail.cli.commands;

import java.util.List;
import java.util.Locale;
import org.buftrail.options.Option;
import picocli.CommandLine;
import picocli.CommandLine.Help;
import picocli.CommandLine.Help.Ansi;
import picocli.CommandLine.Help.IParamLabelRenderer;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Model.PositionalParamSpec;

/**
 * The manual page in the language of {@code man}. The parser's library makes pages of AsciiDoc
 * only, for which another program would have to be there.
 */
final class ManualPage {
  private final StringBuilder page = new StringBuilder();

  private ManualPage() {}

  /** The page of a command line with all its commands. */
  static String of(CommandLine line) {
    ManualPage page = new ManualPage();
    CommandSpec spec = line.getCommandSpec();
    String name = spec.name();
    String version = String.join(" ", spec.version());
    page.macro("TH", name.toUpperCase(Locale.ROOT), "1", "", version, "");
    page.macro("SH", "NAME");
    List<String> about = List.of(spec.usageMessage().description());
    page.text(name + " - follows Netty buffers, and converts flight recordings");
    page.macro("SH", "SYNOPSIS");
    page.text(name + " COMMAND [OPTION]...");
    page.macro("SH", "DESCRIPTION");
    about.forEach(page::text);
    page.options(spec);
    page.macro("SH", "COMMANDS");
    line.getSubcommands().values().forEach(command -> page.command(name, command));
    page.macro("SH", "OPTIONS OF THE AGENT");
    for (Option option : Option.values()) {
      page.entry(option.example(), new String[] {Option.plain(option.help()) + "."});
    }
    page.macro("SH", "NOTES");
    for (String footer : spec.usageMessage().footer()) {
      page.text(footer);
      page.macro("PP");
    }
    return page.page.toString();
  }

  private void command(String of, CommandLine line) {
    CommandSpec spec = line.getCommandSpec();
    macro("SS", spec.name());
    Help help = line.getHelp();
    StringBuilder synopsis = new StringBuilder(of + " " + spec.name() + " [OPTION]...");
    for (PositionalParamSpec parameter : spec.positionalParameters()) {
      synopsis.append(' ').append(label(help.parameterLabelRenderer(), parameter));
    }
    macro("B", synopsis.toString());
    macro("PP");
    for (String description : spec.usageMessage().description()) {
      text(description);
    }
    for (PositionalParamSpec parameter : spec.positionalParameters()) {
      entry(label(help.parameterLabelRenderer(), parameter), parameter.description());
    }
    options(spec);
  }

  private static String label(IParamLabelRenderer labels, ArgSpec argument) {
    return labels.renderParameterLabel(argument, Ansi.OFF, List.of()).toString();
  }

  private void options(CommandSpec spec) {
    IParamLabelRenderer labels = spec.commandLine().getHelp().parameterLabelRenderer();
    for (OptionSpec option : spec.options()) {
      if (!option.hidden() && !option.usageHelp() && !option.versionHelp()) {
        entry(String.join(", ", option.names()) + label(labels, option), option.description());
      }
    }
  }

  private void entry(String term, String[] description) {
    macro("TP");
    macro("B", term);
    for (String line : description) {
      text(line);
    }
  }

  private void macro(String name, String... arguments) {
    page.append('.').append(name);
    for (String argument : arguments) {
      page.append(" \"").append(escaped(argument).replace("\"", "\\(dq")).append('"');
    }
    page.append('\n');
  }

  private void text(String template) {
    String text = escaped(plain(template)).strip();
    if (!text.isEmpty()) {
      // A line that begins so is a request.
      page.append(text.startsWith(".") || text.startsWith("'") ? "\\&" : "").append(text);
      page.append('\n');
    }
  }

  /** What the parser's texts say: they are formats, with marks for colours. */
  static String plain(String template) {
    return Ansi.OFF.text(template.replace("%n", " ").replace("%%", "%")).toString();
  }

  private static String escaped(String text) {
    return text.replace("\\", "\\e").replace("-", "\\-");
  }
}
