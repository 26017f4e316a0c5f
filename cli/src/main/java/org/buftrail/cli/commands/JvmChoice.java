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
import org.buftrail.cli.output.Terminal;
import org.buftrail.cli.output.WrongUsage;

/** Lists JVMs and, at a terminal, has one chosen. */
final class JvmChoice {
  private static final int NAME_WIDTH = 40;

  private final Terminal terminal;
  private final BooleanSupplier isAsked;
  private final BufferedReader in;

  JvmChoice(Terminal terminal) {
    this(
        terminal,
        Screen::isInputTerminal,
        new BufferedReader(new InputStreamReader(System.in, Charset.defaultCharset())));
  }

  /**
   * @param isAsked whether somebody can answer
   * @param in where the answer comes from
   */
  JvmChoice(Terminal terminal, BooleanSupplier isAsked, BufferedReader in) {
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
    String example = "attach " + jvms.get(0).pid();
    if (!isAsked.getAsBoolean()) {
      throw new WrongUsage("name the process to attach to, such as: buftrail " + example);
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

  private void list(List<Jvm> jvms) {
    terminal.note(row("PID", "NETTY", "DIRECT", "RESIDENT", "NAME"));
    for (Jvm jvm : jvms) {
      String netty = jvm.netty() == null ? "-" : jvm.netty();
      String name = jvm.name().isEmpty() ? "(unknown)" : tail(jvm.name());
      String pid = Long.toString(jvm.pid());
      terminal.note(row(pid, netty, bytes(jvm.directBytes()), bytes(jvm.residentBytes()), name));
    }
    if (jvms.stream().anyMatch(jvm -> jvm.directBytes() == Jvm.UNKNOWN)) {
      terminal.note("DIRECT is known up to Java 23, where the JVM's management agent runs.");
    }
  }

  private static String row(String pid, String netty, String direct, String rss, String name) {
    return String.format(Locale.ROOT, "%8s  %-14s %10s %10s  %s", pid, netty, direct, rss, name);
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
