package org.buftrail.cli.commands;

import java.io.IOException;
import java.util.List;
import org.buftrail.cli.live.Jvm;
import org.buftrail.console.output.Terminal;
import org.buftrail.console.output.WrongUsage;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Parameters;

/**
 * The JVM that a command is for: its number, a part of its name as {@code jcmd} takes it, or what
 * the user chooses from a list.
 */
final class ChosenJvm {
  @Parameters(
      arity = "0..1",
      paramLabel = "PID",
      description =
          "The process: its number, or a part of the name of its main class or jar. Without it,"
              + " lists the JVMs of this user and asks which one.")
  private @Nullable String named;

  /**
   * The process, as it was named on the command line.
   *
   * @param command the name of the command, for what is said
   */
  long pid(String command, Terminal terminal) throws IOException {
    return pid(named, command, terminal);
  }

  /**
   * The process of a name.
   *
   * @param named its number or a part of its name; null to have one chosen
   * @throws WrongUsage when several have that name, or none, or none is chosen
   * @throws IOException when there is no JVM to choose from
   */
  static long pid(@Nullable String named, String command, Terminal terminal) throws IOException {
    if (named != null && named.matches("\\d{1,18}")) {
      return Long.parseLong(named);
    }
    JvmChoice choice = new JvmChoice(command, terminal);
    return named == null ? choice.choose(Jvm.all()) : choice.named(named, Jvm.all());
  }

  /** Those whose name holds the text. */
  static List<Jvm> named(String text, List<Jvm> jvms) {
    return jvms.stream().filter(jvm -> jvm.name().contains(text)).toList();
  }
}
