package org.buftrail.suite;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** What Linux says of a process. */
final class Memory {
  private static final String PEAK = "VmHWM:";

  private Memory() {}

  /** The most memory that it had so far, 0 when it has gone. */
  static long peakKib(long pid) {
    try {
      for (String line : Files.readAllLines(Path.of("/proc/" + pid + "/status"))) {
        if (line.startsWith(PEAK)) {
          return Long.parseLong(line.substring(PEAK.length()).replace("kB", "").strip());
        }
      }
    } catch (IOException gone) {
      return 0;
    }
    return 0;
  }
}
