package org.buftrail.flow.base;

import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Where the tracker's own rare lines go. Any thread. */
public final class TrackerLog {
  private static volatile @Nullable Consumer<String> out;

  private TrackerLog() {}

  public static void setOut(Consumer<String> out) {
    TrackerLog.out = out;
  }

  public static void add(String line) {
    Consumer<String> now = out;
    if (now != null) {
      now.accept(line);
    }
  }
}
