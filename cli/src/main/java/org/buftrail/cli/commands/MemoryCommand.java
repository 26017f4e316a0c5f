package org.buftrail.cli.commands;

import java.io.IOException;
import java.util.concurrent.Callable;
import org.buftrail.cli.memory.MemoryReport;
import org.buftrail.console.output.Exit;
import org.buftrail.console.output.Terminal;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

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
  /** How the answer is written. */
  enum Format {
    TEXT,
    JSON
  }

  private final Terminal terminal;

  @Option(
      names = "--format",
      paramLabel = "FORMAT",
      description = "Write it as text (the default) or json.")
  private Format format = Format.TEXT;

  @Mixin private final ChosenJvm jvm = new ChosenJvm();

  public MemoryCommand(Terminal terminal) {
    this.terminal = terminal;
  }

  @Override
  public Integer call() throws IOException {
    long pid = jvm.pid("memory", terminal);
    MemoryReport report = MemoryReport.of(pid);
    terminal.print(format == Format.JSON ? report.json() : report.text());
    return Exit.DONE;
  }
}
