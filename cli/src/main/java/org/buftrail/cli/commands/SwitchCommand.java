package org.buftrail.cli.commands;

import java.io.IOException;
import java.util.concurrent.Callable;
import org.buftrail.cli.live.RunningAgent;
import org.buftrail.console.output.Exit;
import org.buftrail.console.output.Terminal;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code on} and {@code off}: whether a running agent follows new buffers. */
@Command(
    description = {
      "Lets the agent in a running JVM follow new buffers again.",
      "After off, after duration=, or before delay= is over.",
      ""
    },
    mixinStandardHelpOptions = true,
    sortOptions = false)
public final class SwitchCommand implements Callable<Integer> {
  private final Terminal terminal;
  private final boolean on;

  @Mixin private final ChosenJvm jvm = new ChosenJvm();

  private SwitchCommand(Terminal terminal, boolean on) {
    this.terminal = terminal;
    this.on = on;
  }

  /** The command, with the help that is right for it. */
  public static CommandLine commandLine(Terminal terminal, boolean on) {
    CommandLine line = new CommandLine(new SwitchCommand(terminal, on));
    if (!on) {
      line.getCommandSpec()
          .usageMessage()
          .description(
              "Lets the agent in a running JVM follow no new buffers, at no cost.",
              "Those under way are followed to their release.",
              "");
    }
    return line;
  }

  @Override
  public Integer call() throws IOException {
    long pid = jvm.pid(on ? "on" : "off", terminal);
    RunningAgent agent = new RunningAgent(pid);
    agent.setTracking(on);
    String now = on ? " follows new buffers" : " follows no new buffers";
    terminal.note("process " + pid + now);
    return Exit.DONE;
  }
}
