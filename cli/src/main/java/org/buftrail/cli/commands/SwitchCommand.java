package org.buftrail.cli.commands;

import java.io.IOException;
import java.util.concurrent.Callable;
import org.buftrail.cli.live.RunningAgent;
import org.buftrail.cli.output.Exit;
import org.buftrail.cli.output.Terminal;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** {@code on} and {@code off}: whether a running agent follows new buffers. */
@Command(
    description = {
      "Switches the tracking in a running JVM on or off.",
      "While it is off, new buffers are not followed, at no cost; those under way are followed to"
          + " their release.",
      ""
    },
    mixinStandardHelpOptions = true,
    sortOptions = false)
public final class SwitchCommand implements Callable<Integer> {
  private final Terminal terminal;
  private final boolean on;

  @Parameters(paramLabel = "PID", description = "The process.")
  private long pid;

  public SwitchCommand(Terminal terminal, boolean on) {
    this.terminal = terminal;
    this.on = on;
  }

  @Override
  public Integer call() throws IOException {
    try (RunningAgent agent = RunningAgent.attach(pid)) {
      agent.setTracking(on);
    }
    String now = on ? " follows new buffers" : " follows no new buffers";
    terminal.note("process " + pid + now);
    return Exit.DONE;
  }
}
