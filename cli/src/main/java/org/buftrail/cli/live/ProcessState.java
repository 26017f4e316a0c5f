package org.buftrail.cli.live;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** Why a process of this machine gives no answer, as far as the system shows. Linux only. */
final class ProcessState {
  private static final String STATE = "State:";
  private static final String USERS = "Uid:";

  private ProcessState() {}

  /**
   * Says what a process is that does not answer.
   *
   * @param reason what came back, for one that is as others are
   */
  static String describe(long pid, String reason) {
    if (hasEnded(pid)) {
      return "process " + pid + " has ended";
    }
    if (isStopped(pid)) {
      return stopped(pid);
    }
    if (isOthers(pid)) {
      return "process "
          + pid
          + " is another user's; run the command as the user of that process ("
          + reason
          + ")";
    }
    if (reason.contains("respond")) {
      return "process "
          + pid
          + " does not answer: it is busy, no JVM, or in another container; try again ("
          + reason
          + ")";
    }
    return "cannot attach to process " + pid + " (" + reason + ")";
  }

  /** What to do with one that is stopped, in one line. */
  static String stopped(long pid) {
    return "process "
        + pid
        + " is stopped, by a signal or a debugger, and answers nothing; let it go on with: kill"
        + " -CONT "
        + pid;
  }

  /** Whether it is there no more, but perhaps for its exit value. */
  static boolean hasEnded(long pid) {
    return ProcessHandle.of(pid).isEmpty() || "ZX".indexOf(state(status(pid))) >= 0;
  }

  static boolean isStopped(long pid) {
    return "Tt".indexOf(state(status(pid))) >= 0;
  }

  private static boolean isOthers(long pid) {
    String users = value(status(pid), USERS);
    String own = value(status(ProcessHandle.current().pid()), USERS);
    return !users.isEmpty() && !own.isEmpty() && !users.equals(own);
  }

  /** {@code S} for one that sleeps; a blank where nothing is known. */
  static char state(List<String> status) {
    String state = value(status, STATE);
    return state.isEmpty() ? ' ' : state.charAt(0);
  }

  private static String value(List<String> status, String key) {
    for (String line : status) {
      if (line.startsWith(key)) {
        return line.substring(key.length()).trim();
      }
    }
    return "";
  }

  private static List<String> status(long pid) {
    try {
      return Files.readAllLines(Path.of("/proc", Long.toString(pid), "status"));
    } catch (IOException e) {
      return List.of();
    }
  }
}
