package org.buftrail.cli.commands;

import java.io.IOException;
import java.util.List;
import java.util.concurrent.Callable;
import org.buftrail.cli.live.AgentLoading;
import org.buftrail.console.output.Exit;
import org.buftrail.console.output.Terminal;
import org.buftrail.options.Option;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Help;
import picocli.CommandLine.Help.Column;
import picocli.CommandLine.Help.TextTable;
import picocli.CommandLine.Model.UsageMessageSpec;
import picocli.CommandLine.Parameters;

/** {@code attach}: starts the agent in a running JVM. */
@Command(
    name = "attach",
    description = {
      "Starts the agent in a JVM that is running already.",
      "Buffers are followed from then on; those of a Netty that is loaded already at a higher cost,"
          + " as the answer says.",
      "Without PID, lists the JVMs of this user and asks which one.",
      ""
    },
    mixinStandardHelpOptions = true,
    sortOptions = false)
public final class AttachCommand implements Callable<Integer> {
  private final Terminal terminal;

  @Parameters(
      paramLabel = "PID OPTION",
      description = {
        "The process (its number, or a part of the name of its main class or jar), and options of"
            + " the agent, such as include=com.example. Without include, the"
            + " agent finds the application's own classes. File names are taken in the working"
            + " directory of the process. The list of options is below."
      })
  private List<String> arguments = List.of();

  private AttachCommand(Terminal terminal) {
    this.terminal = terminal;
  }

  /** The command, whose help ends with the options of the agent. */
  public static CommandLine commandLine(Terminal terminal) {
    CommandLine line = new CommandLine(new AttachCommand(terminal));
    line.getHelpSectionMap()
        .put(UsageMessageSpec.SECTION_KEY_FOOTER, help -> options(help.colorScheme()));
    return line;
  }

  private static String options(Help.ColorScheme colors) {
    TextTable table =
        TextTable.forColumns(
            colors,
            new Column(27, 2, Column.Overflow.SPAN),
            new Column(53, 1, Column.Overflow.WRAP));
    for (Option option : Option.values()) {
      String without = Option.plain(option.without());
      table.addRowValues(
          colors.text(option.example()),
          colors.text(
              Option.plain(option.help())
                  + " ("
                  + Option.plain(option.typeText())
                  + "; without it: "
                  + without
                  + ")"));
    }
    return "%nOptions of the agent:%n".formatted() + table;
  }

  @Override
  public Integer call() throws IOException {
    boolean named = !arguments.isEmpty() && !arguments.get(0).contains("=");
    long pid = ChosenJvm.pid(named ? arguments.get(0) : null, "attach", terminal);
    List<String> options = arguments.subList(named ? 1 : 0, arguments.size());
    return tell(pid, String.join(";", options), terminal);
  }

  /** Tells the agent in a process, and the user what it answers. */
  static int tell(long pid, String argument, Terminal terminal) throws IOException {
    AgentLoading.Reply reply = AgentLoading.load(pid, argument);
    String line = "process " + pid + ": " + reply.text();
    if (reply.code() == Exit.DONE) {
      terminal.note(line);
    } else {
      terminal.fail(line);
    }
    return reply.code();
  }
}
