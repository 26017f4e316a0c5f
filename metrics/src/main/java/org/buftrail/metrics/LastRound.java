package org.buftrail.metrics;

import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import org.buftrail.model.Figure;
import org.buftrail.model.FlowMetrics;
import org.buftrail.model.MetricsHandler;
import org.buftrail.model.MetricsHandlers;

/** The figures of the last round, for meters that are read at any time. Thread-safe. */
final class LastRound implements MetricsHandler {
  /** The memories by which buffers are told apart. */
  static final String[] MEMORIES = {"direct", "heap"};

  private final AtomicBoolean known = new AtomicBoolean();
  private volatile Map<String, Long> values = Map.of();

  /** Asks for figures from the next round on, for as long as meters hold this; once is enough. */
  void subscribe() {
    if (known.compareAndSet(false, true)) {
      MetricsHandlers.addWeakly(this);
    }
  }

  /** A figure as a whole, 0 before the first round. */
  long get(Figure figure) {
    return values.getOrDefault(key(figure), 0L);
  }

  /** What of it is in one of {@link #MEMORIES}. */
  long get(Figure figure, String memory) {
    return values.getOrDefault(memory + "_" + key(figure), 0L);
  }

  private static String key(Figure figure) {
    return Objects.requireNonNull(figure.name(Figure.Place.HANDLERS));
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
    // A buffer that turns out to be kept for ever is taken off again; a counter must not fall.
    for (Figure figure : Figure.in(Figure.Place.METERS)) {
      if (figure.kind() == Figure.Kind.COUNTER) {
        next.merge(key(figure), get(figure), Math::max);
        for (String memory : MEMORIES) {
          next.computeIfPresent(
              memory + "_" + key(figure), (key, now) -> Math.max(now, get(figure, memory)));
        }
      }
    }
    values = next;
  }
}
