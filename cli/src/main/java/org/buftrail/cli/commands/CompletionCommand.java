package org.buftrail.cli.commands;

import java.util.concurrent.Callable;
import java.util.function.Supplier;
import org.buftrail.cli.output.Exit;
import org.buftrail.cli.output.Terminal;
import picocli.CommandLine.Command;

/** {@code completion}: what a shell needs to complete commands and options. */
@Command(
    name = "completion",
    description = {
      "Prints a script that lets bash or zsh complete commands and options.",
      "For this shell: source <(buftrail completion)",
      ""
    },
    mixinStandardHelpOptions = true)
public final class CompletionCommand implements Callable<Integer> {
  private final Terminal terminal;
  private final Supplier<String> script;

  public CompletionCommand(Terminal terminal, Supplier<String> script) {
    this.terminal = terminal;
    this.script = script;
  }

  @Override
  public Integer call() {
    terminal.print(script.get());
    return Exit.DONE;
  }
}
