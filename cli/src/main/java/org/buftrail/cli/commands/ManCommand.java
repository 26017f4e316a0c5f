package org.buftrail.cli.commands;

import java.util.concurrent.Callable;
import java.util.function.Supplier;
import org.buftrail.console.output.Exit;
import org.buftrail.console.output.Terminal;
import picocli.CommandLine;
import picocli.CommandLine.Command;

/** {@code man}: the manual page. */
@Command(
    name = "man",
    description = {
      "Prints the manual page with all commands and options.",
      "To read it: buftrail man | man -l -",
      ""
    },
    mixinStandardHelpOptions = true)
public final class ManCommand implements Callable<Integer> {
  private final Terminal terminal;
  private final Supplier<CommandLine> line;

  /**
   * @param line makes a command line with all commands
   */
  public ManCommand(Terminal terminal, Supplier<CommandLine> line) {
    this.terminal = terminal;
    this.line = line;
  }

  @Override
  public Integer call() {
    terminal.print(ManualPage.of(line.get()));
    return Exit.DONE;
  }
}
