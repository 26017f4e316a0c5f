package org.buftrail.cli.commands;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.Charset;
import java.util.List;
import java.util.Locale;
import java.util.function.BooleanSupplier;
import org.buftrail.cli.live.Jvm;
import org.buftrail.cli.live.Screen;
import org.buftrail.console.output.Terminal;
import org.buftrail.console.output.WrongUsage;

/** Lists JVMs and, at a terminal, has one chosen. */
final class JvmChoice {
  private static final int NAME_WIDTH = 40;

  private final String command;
  private final Terminal terminal;
  private final BooleanSupplier isAsked;
  private final BufferedReader in;

  /**
   * @param command that the process is for
   */
  JvmChoice(String command, Terminal terminal) {
    this(
        command,
        terminal,
        Screen::isInputTerminal,
        new BufferedReader(new InputStreamReader(System.in, Charset.defaultCharset())));
  }

  /**
   * @param command that the process is for
   * @param isAsked whether somebody can answer
   * @param in where the answer comes from
   */
  JvmChoice(String command, Terminal terminal, BooleanSupplier isAsked, BufferedReader in) {
    this.command = command;
    this.terminal = terminal;
    this.isAsked = isAsked;
    this.in = in;
  }

  /**
   * The process that the user chooses.
   *
   * @throws WrongUsage when nobody can be asked, or chooses none
   * @throws IOException when there is no JVM
   */
  long choose(List<Jvm> jvms) throws IOException {
    if (jvms.isEmpty()) {
      throw new IOException("there is no other Java process of this user");
    }
    list(jvms);
    if (!isAsked.getAsBoolean()) {
      throw new WrongUsage(
          "name the process, by its number or a part of its name, such as: " + example(jvms));
    }
    terminal.transientText("PID (empty for none): ");
    String answer = in.readLine();
    String chosen = answer == null ? "" : answer.trim();
    for (Jvm jvm : jvms) {
      if (chosen.equals(Long.toString(jvm.pid()))) {
        return jvm.pid();
      }
    }
    throw new WrongUsage(
        chosen.isEmpty() ? "no process was chosen" : "'" + chosen + "' is none of these processes");
  }

  /**
   * The one process with such a name.
   *
   * @throws WrongUsage when several have it, or none
   */
  long named(String text, List<Jvm> jvms) {
    List<Jvm> found = ChosenJvm.named(text, jvms);
    if (found.size() == 1) {
      return found.get(0).pid();
    }
    list(found.isEmpty() ? jvms : found);
    if (found.isEmpty()) {
      throw new WrongUsage("no Java process of this user has '" + text + "' in its name");
    }
    throw new WrongUsage(
        "'" + text + "' is in several names; choose by number, such as: " + example(found));
  }

  private String example(List<Jvm> jvms) {
    return "buftrail " + command + " " + jvms.get(0).pid();
  }

  private void list(List<Jvm> jvms) {
    if (jvms.isEmpty()) {
      return;
    }
    terminal.note(row("PID", "AGENT", "NETTY", "DIRECT", "RESIDENT", "NAME"));
    for (Jvm jvm : jvms) {
      String netty = jvm.netty() == null ? "-" : jvm.netty();
      String name = jvm.name().isEmpty() ? "(unknown)" : tail(jvm.name());
      String pid = Long.toString(jvm.pid());
      String agent = jvm.hasAgent() ? "yes" : "-";
      terminal.note(
          row(pid, agent, netty, bytes(jvm.directBytes()), bytes(jvm.residentBytes()), name));
    }
    if (jvms.stream().anyMatch(jvm -> jvm.directBytes() == Jvm.UNKNOWN)) {
      terminal.note("DIRECT is known up to Java 23, where the JVM's management agent runs.");
    }
  }

  private static String row(
      String pid, String agent, String netty, String direct, String resident, String name) {
    return String.format(
        Locale.ROOT, "%8s  %-5s  %-14s %10s %10s  %s", pid, agent, netty, direct, resident, name);
  }

  /** The end of a long name, which says most. */
  private static String tail(String name) {
    int from = name.length() - NAME_WIDTH;
    return from <= 0 ? name : "..." + name.substring(from + 3);
  }

  private static String bytes(long bytes) {
    return bytes == Jvm.UNKNOWN
        ? "-"
        : String.format(Locale.ROOT, "%,.1f MiB", bytes / (double) (1 << 20));
  }
}
