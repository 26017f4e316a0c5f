package org.buftrail.cli.commands;

import java.util.Locale;
import java.util.concurrent.Callable;
import java.util.function.Supplier;
import org.buftrail.console.output.Exit;
import org.buftrail.console.output.Terminal;
import picocli.AutoComplete;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** {@code completion}: what a shell needs to complete commands and options. */
@Command(
    name = "completion",
    description = {
      "Prints a script that lets bash, zsh or fish complete commands and options.",
      "For this shell: source <(buftrail completion)",
      "In fish: buftrail completion fish | source",
      ""
    },
    mixinStandardHelpOptions = true)
public final class CompletionCommand implements Callable<Integer> {
  private final Terminal terminal;
  private final Supplier<CommandLine> line;

  enum Shell {
    BASH,
    ZSH,
    FISH;

    @Override
    public String toString() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  @Parameters(
      arity = "0..1",
      paramLabel = "SHELL",
      description = "${COMPLETION-CANDIDATES}. Without it, a script that bash and zsh take.")
  private Shell shell = Shell.BASH;

  /**
   * @param line makes a command line with all commands
   */
  public CompletionCommand(Terminal terminal, Supplier<CommandLine> line) {
    this.terminal = terminal;
    this.line = line;
  }

  @Override
  public Integer call() {
    CommandLine all = line.get();
    terminal.print(
        shell == Shell.FISH
            ? FishCompletion.of(all)
            : AutoComplete.bash(all.getCommandName(), all));
    return Exit.DONE;
  }
}
