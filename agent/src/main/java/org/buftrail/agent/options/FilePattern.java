package org.buftrail.agent.options;

import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import org.buftrail.agent.source.ThisProcess;

/**
 * Names of files that differ between JVMs, with the letters of the JDK's {@code -Xlog}: {@code %p}
 * is the process, {@code %t} when it started, {@code %hn} the host, {@code %%} a percent sign. Any
 * other percent sign stands for itself.
 */
final class FilePattern {
  private static final DateTimeFormatter TIME = DateTimeFormatter.ofPattern("yyyy-MM-dd_HH-mm-ss");

  private FilePattern() {}

  /** A name for this JVM. */
  static String expand(String name) {
    return name.indexOf('%') < 0 ? name : expandAll(name);
  }

  private static String expandAll(String name) {
    StringBuilder expanded = new StringBuilder();
    for (int at = 0; at < name.length(); ) {
      if (name.startsWith("%%", at)) {
        expanded.append('%');
        at += 2;
      } else if (name.startsWith("%p", at)) {
        expanded.append(ProcessHandle.current().pid());
        at += 2;
      } else if (name.startsWith("%t", at)) {
        expanded.append(TIME.format(start()));
        at += 2;
      } else if (name.startsWith("%hn", at)) {
        expanded.append(ThisProcess.hostName());
        at += 3;
      } else {
        expanded.append(name.charAt(at));
        at++;
      }
    }
    return expanded.toString();
  }

  /** On the clock of this place. */
  private static LocalDateTime start() {
    Instant started = ProcessHandle.current().info().startInstant().orElseGet(Instant::now);
    return LocalDateTime.ofInstant(started, ZoneId.systemDefault());
  }
}
