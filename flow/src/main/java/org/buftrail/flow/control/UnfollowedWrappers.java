package org.buftrail.flow.control;

import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.buftrail.model.TrackerStatus;

/**
 * Classes of the application that keep buffers in fields and are not followed, with the methods
 * that give them buffers, as far as woven code shows. Snapshots list them, so that a report can
 * name the option that follows one.
 *
 * <p>Thread-safe. Bounded: the first {@value #MAX_CLASSES} classes, {@value #MAX_METHODS} methods
 * each.
 */
public final class UnfollowedWrappers {
  static final int MAX_CLASSES = 100;
  static final int MAX_METHODS = 20;

  private static final Map<String, Found> FOUND = new LinkedHashMap<>();

  private static final class Found {
    final List<String> fields;
    final String reason;
    final Set<String> givers = new LinkedHashSet<>();

    Found(List<String> fields, String reason) {
      this.fields = fields;
      this.reason = reason;
    }
  }

  private UnfollowedWrappers() {}

  /**
   * Notes that a method gives a buffer to an object of a class.
   *
   * @param className binary name of the class
   * @param fields those of the class in which it may be kept, one or more
   * @param reason why the class is not followed, as a clause without a subject
   * @param method that gives it, {@code com.example.Router.decode}
   */
  public static synchronized void add(
      String className, List<String> fields, String reason, String method) {
    Found found = FOUND.get(className);
    if (found == null && FOUND.size() < MAX_CLASSES) {
      found = new Found(fields, reason);
      FOUND.put(className, found);
    }
    if (found != null && found.givers.size() < MAX_METHODS) {
      found.givers.add(method);
    }
  }

  /** Those of an earlier attachment say nothing of the next. */
  public static synchronized void forget() {
    FOUND.clear();
  }

  static synchronized void addTo(TrackerStatus.Builder status) {
    // Written without lambdas: the first one would have the JDK link on the application's time.
    for (Map.Entry<String, Found> each : FOUND.entrySet()) {
      Found found = each.getValue();
      status.add(
          new TrackerStatus.Unfollowed(
              each.getKey(), found.fields, found.reason, List.copyOf(found.givers)));
    }
  }
}
