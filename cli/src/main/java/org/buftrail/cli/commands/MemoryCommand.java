package org.buftrail.cli.commands;

import java.io.IOException;
import java.util.concurrent.Callable;
import org.buftrail.cli.memory.MemoryReport;
import org.buftrail.console.output.Exit;
import org.buftrail.console.output.Terminal;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code memory}: who holds the memory of a running JVM. */
@Command(
    name = "memory",
    description = {
      "Shows who holds the memory of a running JVM: its resident set by owner.",
      "Works without the agent; with it, the chunks of Netty's allocators are a row of their own."
          + " Linux only.",
      ""
    },
    mixinStandardHelpOptions = true,
    sortOptions = false)
public final class MemoryCommand implements Callable<Integer> {
  private final Terminal terminal;

  @Mixin private final ChosenJvm jvm = new ChosenJvm();

  public MemoryCommand(Terminal terminal) {
    this.terminal = terminal;
  }

  @Override
  public Integer call() throws IOException {
    long pid = jvm.pid("memory", terminal);
    String text = MemoryReport.of(pid).text();
    terminal.print(text);
    return Exit.DONE;
  }
}
