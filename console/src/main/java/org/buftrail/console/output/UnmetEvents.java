package org.buftrail.console.output;

import java.util.LinkedHashMap;
import java.util.Map;
import org.buftrail.jfr.Conversion;
import org.buftrail.jfr.Options;
import org.jspecify.annotations.Nullable;

/**
 * Events that {@code --event} asked for and that none of several conversions could give.
 * Thread-safe.
 */
public final class UnmetEvents {
  private @Nullable Map<Options.Event, String> unmet;

  public UnmetEvents() {}

  /** Takes note of one conversion. */
  public synchronized void add(Conversion conversion) {
    Map<Options.Event, String> known = unmet;
    if (known == null) {
      unmet = new LinkedHashMap<>(conversion.unmet());
    } else {
      known.keySet().retainAll(conversion.unmet().keySet());
    }
  }

  /** Names each; answers the exit code. */
  public synchronized int report(Terminal terminal) {
    Map<Options.Event, String> left = unmet;
    if (left == null || left.isEmpty()) {
      return Exit.DONE;
    }
    for (Map.Entry<Options.Event, String> event : left.entrySet()) {
      String field = event.getKey().field();
      terminal.fail(
          "--event "
              + event.getKey().name()
              + (field == null ? "" : ":" + field)
              + ": "
              + event.getValue());
    }
    return Exit.FAILED;
  }
}
