package org.buftrail.cli.commands;

import java.io.IOException;
import java.util.concurrent.Callable;
import org.buftrail.cli.live.RunningAgent;
import org.buftrail.console.output.Exit;
import org.buftrail.console.output.Terminal;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code reset}: counts in a running JVM begin at 0 again. */
@Command(
    name = "reset",
    description = {
      "Lets the agent in a running JVM count released and leaked buffers from 0 again.",
      "What is live stays.",
      ""
    },
    mixinStandardHelpOptions = true,
    sortOptions = false)
public final class ResetCommand implements Callable<Integer> {
  private final Terminal terminal;

  @Mixin private final ChosenJvm jvm = new ChosenJvm();

  public ResetCommand(Terminal terminal) {
    this.terminal = terminal;
  }

  @Override
  public Integer call() throws IOException {
    long pid = jvm.pid("reset", terminal);
    RunningAgent agent = new RunningAgent(pid);
    agent.reset();
    terminal.note("process " + pid + " counts from 0 again");
    return Exit.DONE;
  }
}
