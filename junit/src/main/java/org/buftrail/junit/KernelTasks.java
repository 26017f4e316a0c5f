package org.buftrail.junit;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * The threads of this process as Linux sees them. One that was woken up runs for it at once, while
 * for the JVM it waits on until it gets a processor; and one that waits in a system call runs for
 * the JVM. Stateless.
 */
final class KernelTasks {
  private static final Path TASKS = Path.of("/proc/self/task");
  private static final Path SELF = Path.of("/proc/thread-self");

  /**
   * How names begin of threads of the JVM, its tools and Surefire, which release nothing. The
   * kernel has 15 bytes of a name: the first ones, or, from newer JDKs, seven, two dots, and the
   * last six.
   */
  private static final String[] OTHERS = {
    "C1 ",
    "C2 ",
    "VM Period",
    "VM Peri..",
    "JFR ",
    "Attach Listener",
    "process reaper",
    "Monitor Ctrl-Br",
    "Monitor..-Break",
    "surefire-",
    "surefir..",
    "buftrail",
    "buftrai.."
  };

  private KernelTasks() {}

  /** Whether the system tells which threads run. */
  static boolean areTold() {
    return Files.isSymbolicLink(SELF) && Files.isReadable(TASKS);
  }

  /**
   * Whether a thread but the calling one runs, waits for a processor, or for a disk; null where the
   * system does not tell.
   */
  static @Nullable Boolean isAnyRunning() {
    try {
      String own = String.valueOf(Files.readSymbolicLink(SELF).getFileName());
      try (DirectoryStream<Path> tasks = Files.newDirectoryStream(TASKS)) {
        for (Path task : tasks) {
          if (!own.equals(String.valueOf(task.getFileName())) && isRunning(task)) {
            return true;
          }
        }
      }
      return false;
    } catch (IOException | RuntimeException e) {
      return null;
    }
  }

  /**
   * @param task its directory
   */
  static boolean isRunning(Path task) {
    try {
      // Names are cut within characters too.
      byte[] stat = Files.readAllBytes(task.resolve("stat"));
      return isRunning(new String(stat, StandardCharsets.ISO_8859_1));
    } catch (IOException e) {
      // It has ended.
      return false;
    }
  }

  /**
   * @param stat as {@code 17 (name) R 1 ...}; the name may have brackets
   */
  static boolean isRunning(String stat) {
    int end = stat.lastIndexOf(')');
    String name = stat.substring(stat.indexOf('(') + 1, end);
    char state = stat.charAt(end + 2);
    if (state != 'R' && state != 'D') {
      return false;
    }
    for (String other : OTHERS) {
      if (name.startsWith(other)) {
        return false;
      }
    }
    return true;
  }
}
