package org.buftrail.metrics;

import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import org.buftrail.flow.FlowMetrics;
import org.buftrail.flow.MetricsHandler;
import org.buftrail.flow.MetricsHandlers;

/** The figures of the last round, for meters that are read at any time. Thread-safe. */
final class Figures implements MetricsHandler {
  /** Buffers alone, where {@code allocated} counts other resources too. */
  static final String ALLOCATED = "buffers_allocated";

  private final AtomicBoolean known = new AtomicBoolean();
  private volatile Map<String, Long> values = Map.of();

  /** Asks for figures from the next round on, for as long as meters hold this; once is enough. */
  void subscribe() {
    if (known.compareAndSet(false, true)) {
      MetricsHandlers.addWeakly(this);
    }
  }

  /** A figure, 0 before the first round. */
  long get(String name) {
    return values.getOrDefault(name, 0L);
  }

  @Override
  public String name() {
    return "meters";
  }

  @Override
  public Set<String> wanted() {
    return Set.of();
  }

  @Override
  public void onMetrics(FlowMetrics metrics) {
    Map<String, Long> next = new HashMap<>(metrics.values());
    long resources = 0;
    for (String state : new String[] {"released", "leaked", "held", "dropped", "live"}) {
      resources += next.getOrDefault("resource_" + state, 0L);
    }
    next.put(ALLOCATED, next.getOrDefault("allocated", 0L) - resources);
    // A buffer that turns out to be kept for ever is taken off again; a counter must not fall.
    next.merge(ALLOCATED, get(ALLOCATED), Math::max);
    values = next;
  }
}
