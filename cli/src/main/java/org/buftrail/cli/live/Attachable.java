package org.buftrail.cli.live;

import com.sun.tools.attach.VirtualMachine;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Whether a process may be attached to without harm.
 *
 * <p>Attaching sends a signal that a JVM catches and that ends most other processes.
 */
final class Attachable {
  private static final long QUIT_BIT = 1L << 2;
  private static final String CAUGHT = "SigCgt:";

  private Attachable() {}

  /** Whether it is a JVM, or at least catches the signal. */
  static boolean is(long pid) {
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
}
