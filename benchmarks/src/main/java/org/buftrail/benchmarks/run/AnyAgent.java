package org.buftrail.benchmarks.run;

import java.lang.reflect.InvocationTargetException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Asks the agent that is there for what it has counted: by name, since in an earlier one the same
 * classes are in other packages.
 */
public final class AnyAgent {
  /** Where the class is or was that takes snapshots. */
  static final List<String> TRACKERS =
      List.of("org.buftrail.flow.control.FlowTracker", "org.buftrail.flow.FlowTracker");

  private AnyAgent() {}

  public static boolean isPresent() {
    return tracker() != null;
  }

  public static Object snapshot() {
    Class<?> tracker = tracker();
    if (tracker == null) {
      throw new IllegalStateException("there is no agent");
    }
    try {
      return tracker.getMethod("snapshot").invoke(theOne(tracker));
    } catch (ReflectiveOperationException e) {
      throw failed(tracker, "snapshot", e);
    }
  }

  /** The JVM's; null where the method is static, as in an earlier one. */
  private static @Nullable Object theOne(Class<?> tracker) throws IllegalAccessException {
    try {
      return tracker.getField("INSTANCE").get(null);
    } catch (NoSuchFieldException e) {
      return null;
    }
  }

  private static @Nullable Class<?> tracker() {
    for (String name : TRACKERS) {
      try {
        return Class.forName(name, false, null);
      } catch (ClassNotFoundException e) {
        // Then by another name, or none is there.
      }
    }
    return null;
  }

  /** What a method without parameters of an object of the agent's answers. */
  static Object ask(Object object, String method) {
    try {
      return object.getClass().getMethod(method).invoke(object);
    } catch (ReflectiveOperationException e) {
      throw failed(object.getClass(), method, e);
    }
  }

  static long number(Object object, String method) {
    return ((Number) ask(object, method)).longValue();
  }

  /** How many flows are, or went, there: released, leaked or live. */
  static long flows(Object object, String where) {
    return number(ask(object, where), "count");
  }

  static List<?> list(Object object, String method) {
    return (List<?>) ask(object, method);
  }

  private static IllegalStateException failed(
      Class<?> type, String method, ReflectiveOperationException e) {
    Throwable cause = e instanceof InvocationTargetException ? e.getCause() : e;
    return new IllegalStateException(
        "cannot ask the agent: " + type.getName() + "." + method, cause);
  }
}
