package org.buftrail.flow;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Figures of one moment, by name. Immutable.
 *
 * <p>{@code allocated}; {@code released}, {@code leaked}, {@code dropped}, {@code live} and their
 * {@code _bytes}, and {@code held}, what leaked ones held, each also with {@code direct_}, {@code
 * heap_} or, for what is no buffer, {@code resource_} in front; {@code paths}, {@code leak_paths},
 * {@code oldest_live_millis}, {@code overflowed}, {@code suppressed_errors}. All count since the
 * start; {@code live} ones are of the moment.
 */
public final class FlowMetrics {
  private static final Set<String> NAMES =
      Collections.unmodifiableSet(
          figures(new Snapshot(0, 1, 0, 0, TrackerStatus.FINE, List.of(), List.of())).keySet());

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
    Map<String, Long> values = new LinkedHashMap<>();
    values.put("allocated", snapshot.allocated());
    for (String memory : new String[] {"", "direct_", "heap_", "resource_"}) {
      for (String state : new String[] {"released", "leaked", "dropped", "live"}) {
        values.put(memory + state, 0L);
        values.put(memory + state + "_bytes", 0L);
      }
      values.put(memory + "held", 0L);
    }
    long oldest = 0;
    for (Path path : snapshot.paths()) {
      String memory = path.resource() != null ? "resource_" : path.isDirect() ? "direct_" : "heap_";
      add(values, memory, "released", path.released());
      add(values, memory, "leaked", path.leaked());
      add(values, memory, "dropped", path.dropped());
      add(values, memory, "live", path.live());
      values.merge("held", path.held(), Long::sum);
      values.merge(memory + "held", path.held(), Long::sum);
      oldest = Math.max(oldest, path.oldestMillis());
    }
    values.put("paths", (long) snapshot.paths().size());
    values.put("leak_paths", (long) LeakPaths.of(snapshot.paths()).size());
    values.put("oldest_live_millis", oldest);
    values.put("overflowed", snapshot.overflowed());
    values.put("suppressed_errors", snapshot.suppressedErrors());
    values.put("lost_releases", snapshot.status().lostReleases());
    values.put("tracking", snapshot.status().stop() == null ? 1L : 0L);
    return values;
  }

  private static void add(Map<String, Long> values, String memory, String state, Path.Flows flows) {
    add(values, state, flows.count());
    add(values, state + "_bytes", flows.bytes());
    add(values, memory + state, flows.count());
    add(values, memory + state + "_bytes", flows.bytes());
  }

  private static void add(Map<String, Long> values, String name, long more) {
    values.put(name, values.getOrDefault(name, 0L) + more);
  }

  /** When, in milliseconds since the epoch. */
  public long takenAtMillis() {
    return takenAtMillis;
  }

  /** The figures that were wanted, by name. */
  public Map<String, Long> values() {
    return values;
  }

  /** The paths that leak, as {@link LeakPaths} tells them. */
  public List<Path> leaks() {
    return leaks;
  }
}
