package org.buftrail.flow.control;

import java.util.LinkedHashMap;
import java.util.Map;
import org.buftrail.model.TrackerStatus;

/**
 * Classes that could not be woven, in whole or in part. The agent reports them; snapshots list
 * them.
 *
 * <p>Thread-safe. Bounded: the first {@value #MAX_NAMED} are named, all are counted.
 */
public final class UnwovenClasses {
  static final int MAX_NAMED = 100;

  private static final Map<String, String> NAMED = new LinkedHashMap<>();
  private static long count;

  private UnwovenClasses() {}

  /**
   * Counts a class, once while it is among the first.
   *
   * @param className its binary name
   * @param reason one line
   * @return whether it is the first time that this class is reported, as far as is known
   */
  public static synchronized boolean add(String className, String reason) {
    if (NAMED.containsKey(className)) {
      return false;
    }
    count++;
    if (NAMED.size() < MAX_NAMED) {
      NAMED.put(className, reason);
    }
    return true;
  }

  /** Forgets the classes of an earlier attachment, which say nothing about the next. */
  public static synchronized void forget() {
    NAMED.clear();
    count = 0;
  }

  static synchronized void addTo(TrackerStatus.Builder status) {
    status.unwovenClasses(count);
    for (Map.Entry<String, String> each : NAMED.entrySet()) {
      status.add(new TrackerStatus.Unwoven(each.getKey(), each.getValue()));
    }
  }
}
