package org.buftrail.cli.live;

import com.sun.tools.attach.AttachNotSupportedException;
import com.sun.tools.attach.VirtualMachine;
import com.sun.tools.attach.VirtualMachineDescriptor;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Attaches to a process, once it is known that this does no harm.
 *
 * <p>Attaching sends a signal that a JVM catches and that ends most other processes.
 */
final class Attachable {
  private static final long QUIT_BIT = 1L << 2;
  private static final String CAUGHT = "SigCgt:";
  private static final String DISABLED = "-XX:+DisableAttachMechanism";
  private static final int MAX_LISTED = 10;

  private Attachable() {}

  /**
   * Attaches to a JVM.
   *
   * @throws IOException saying in one line why that is not possible
   */
  static VirtualMachine attach(long pid) throws IOException {
    if (ProcessHandle.of(pid).isEmpty()) {
      throw new IOException("there is no process " + pid + others());
    }
    if (ProcessState.hasEnded(pid)) {
      throw new IOException("process " + pid + " has ended");
    }
    if (!is(pid)) {
      throw new IOException("process " + pid + " is no JVM of this user" + others());
    }
    if (isDisabled(Path.of("/proc", Long.toString(pid), "cmdline"))) {
      throw new IOException(
          "process " + pid + " was started with " + DISABLED + " and cannot be attached to");
    }
    if (ProcessState.isStopped(pid)) {
      // It would leave the command waiting, for ever if somebody has attached to it before.
      throw new IOException(ProcessState.stopped(pid));
    }
    try {
      return VirtualMachine.attach(Long.toString(pid));
    } catch (AttachNotSupportedException | IOException e) {
      throw new IOException(ProcessState.describe(pid, firstLine(e)), e);
    } catch (NoClassDefFoundError e) {
      throw new IOException(
          System.getProperty("java.home") + " lacks the module jdk.attach; use a full JDK", e);
    }
  }

  /** Whether it is a JVM, or at least catches the signal. */
  private static boolean is(long pid) {
    String id = Long.toString(pid);
    return VirtualMachine.list().stream().anyMatch(other -> other.id().equals(id))
        || catchesQuit(Path.of("/proc", id, "status"));
  }

  /** A JVM with -XX:-UsePerfData is in no list. */
  static boolean catchesQuit(Path status) {
    try {
      for (String line : Files.readAllLines(status)) {
        if (line.startsWith(CAUGHT)) {
          return (Long.parseUnsignedLong(line.substring(CAUGHT.length()).trim(), 16) & QUIT_BIT)
              != 0;
        }
      }
      return false;
    } catch (IOException | NumberFormatException e) {
      return false;
    }
  }

  /** Asked for beforehand, because such a JVM leaves who attaches waiting. */
  static boolean isDisabled(Path commandLine) {
    try {
      String arguments = new String(Files.readAllBytes(commandLine), StandardCharsets.UTF_8);
      return ("\0" + arguments).contains("\0" + DISABLED + "\0");
    } catch (IOException e) {
      return false;
    }
  }

  /** {@code ; Java processes: 12 Main, 34 app.jar}. */
  private static String others() {
    StringBuilder text = new StringBuilder();
    int listed = 0;
    for (VirtualMachineDescriptor other : VirtualMachine.list()) {
      boolean self = other.id().equals(Long.toString(ProcessHandle.current().pid()));
      if (!self && listed++ < MAX_LISTED) {
        String name = other.displayName().split(" ", 2)[0];
        text.append(text.isEmpty() ? "; Java processes: " : ", ").append(other.id());
        text.append(name.isEmpty() ? "" : " " + name);
      }
    }
    return text.isEmpty() ? "; there is no other Java process of this user" : text.toString();
  }

  static String firstLine(Exception e) {
    return String.valueOf(e.getMessage()).lines().findFirst().orElse("no reason given");
  }
}
