package org.buftrail.flow;

import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Where the tracker's own rare lines go. Any thread. */
final class TrackerLog {
  private static volatile @Nullable Consumer<String> out;

  private TrackerLog() {}

  static void setOut(Consumer<String> out) {
    TrackerLog.out = out;
  }

  static void add(String line) {
    Consumer<String> now = out;
    if (now != null) {
      now.accept(line);
    }
  }
}
