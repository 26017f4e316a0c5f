package org.buftrail.model;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Figures of one moment, by name. Immutable.
 *
 * <p>The names are those that the {@linkplain Figure table} has for handlers. Those of buffers by
 * memory are there also with {@code direct_}, {@code heap_} or, for what is no buffer, {@code
 * resource_} in front. Counters count since the start.
 */
public final class FlowMetrics {
  private static final Set<String> NAMES =
      Collections.unmodifiableSet(figures(Snapshot.empty(0)).keySet());

  private final long takenAtMillis;
  private final Map<String, Long> values;
  private final List<Path> leaks;

  private FlowMetrics(long takenAtMillis, Map<String, Long> values, List<Path> leaks) {
    this.takenAtMillis = takenAtMillis;
    this.values = Collections.unmodifiableMap(values);
    this.leaks = Collections.unmodifiableList(leaks);
  }

  /** Every name there is. */
  public static Set<String> names() {
    return NAMES;
  }

  /**
   * The figures of a snapshot.
   *
   * @param wanted names, of which those that do not exist are passed over; empty for all
   */
  public static FlowMetrics of(Snapshot snapshot, Set<String> wanted) {
    Map<String, Long> values = figures(snapshot);
    if (!wanted.isEmpty()) {
      values.keySet().retainAll(wanted);
    }
    return new FlowMetrics(snapshot.takenAtMillis(), values, LeakPaths.of(snapshot.paths()));
  }

  private static Map<String, Long> figures(Snapshot snapshot) {
    FigureValues all = FigureValues.of(snapshot);
    Map<String, Long> values = new LinkedHashMap<>();
    for (Figure figure : Figure.in(Figure.Place.HANDLERS)) {
      String name = String.valueOf(figure.name(Figure.Place.HANDLERS));
      values.put(name, Math.max(0, all.get(figure)));
      if (figure.label() == Figure.Label.MEMORY) {
        for (int part = 0; part < FigureValues.PARTS.length; part++) {
          values.put(FigureValues.PARTS[part] + "_" + name, all.get(figure, part));
        }
      }
    }
    return values;
  }

  /** When, in milliseconds since the epoch. */
  public long takenAtMillis() {
    return takenAtMillis;
  }

  /** The figures that were wanted, by name. */
  public Map<String, Long> values() {
    return values;
  }

  /** The paths that leak, as {@link LeakPaths} counts them. */
  public List<Path> leaks() {
    return leaks;
  }
}
