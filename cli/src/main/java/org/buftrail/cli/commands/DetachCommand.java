package org.buftrail.cli.commands;

import java.io.IOException;
import java.util.concurrent.Callable;
import org.buftrail.console.output.Terminal;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code detach}: stops the agent in a running JVM. */
@Command(
    name = "detach",
    description = {
      "Stops the agent in a running JVM and gives its classes their byte code back.",
      "It can be attached again, with other options.",
      ""
    },
    mixinStandardHelpOptions = true,
    sortOptions = false)
public final class DetachCommand implements Callable<Integer> {
  private final Terminal terminal;

  @Mixin private final ChosenJvm jvm = new ChosenJvm();

  public DetachCommand(Terminal terminal) {
    this.terminal = terminal;
  }

  @Override
  public Integer call() throws IOException {
    return AttachCommand.tell(jvm.pid("detach", terminal), "detach", terminal);
  }
}
