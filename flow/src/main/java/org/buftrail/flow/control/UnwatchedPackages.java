package org.buftrail.flow.control;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.buftrail.model.TrackerStatus;

/**
 * Packages with buffers in their classes in which nothing is a hop, since nobody named them and
 * they were not found to be the application's. Snapshots list them.
 *
 * <p>Thread-safe. Bounded: those of the first {@value #MAX_NAMED} are reported.
 */
public final class UnwatchedPackages {
  static final int MAX_NAMED = 100;

  private static final Map<List<String>, Integer> CLASSES = new LinkedHashMap<>();

  private UnwatchedPackages() {}

  /**
   * Counts a class.
   *
   * @param packageName {@code com.example}
   * @param place the jar or directory that it comes from
   */
  public static synchronized void add(String packageName, String place) {
    List<String> key = List.of(packageName, place);
    Integer before = CLASSES.get(key);
    if (before != null || CLASSES.size() < MAX_NAMED) {
      CLASSES.put(key, before == null ? 1 : before + 1);
    }
  }

  /** Forgets the packages of an earlier attachment, which say nothing about the next. */
  public static synchronized void forget() {
    CLASSES.clear();
  }

  static synchronized void addTo(TrackerStatus.Builder status) {
    // Written without lambdas: the first one would have the JDK link on the application's time.
    for (Map.Entry<List<String>, Integer> each : CLASSES.entrySet()) {
      List<String> key = each.getKey();
      status.add(new TrackerStatus.Unwatched(key.get(0), key.get(1), each.getValue()));
    }
  }
}
