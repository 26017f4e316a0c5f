package org.buftrail.jfr.kinds;

import java.util.List;
import org.buftrail.profile.Kind;
import org.buftrail.profile.ValueType;

/** Threads that wait for one another, each way of waiting apart. */
final class Locks {
  static final ProfileType ENTER = type("lock_enter");
  static final ProfileType WAIT = type("lock_wait");
  static final ProfileType PARK = type("lock_park");
  static final ProfileType NATIVE = type("lock_native");

  private Locks() {}

  private static ProfileType type(String name) {
    return new ProfileType(
        name,
        Kind.LOCK,
        ValueType.of("contentions", "count"),
        ValueType.of("delay", "nanoseconds"),
        ValueType.of(name, "count"),
        1);
  }

  static List<EventKind> kinds() {
    return List.of(
        new EventKind("jdk.JavaMonitorEnter")
            .thread("eventThread")
            .attribute("monitorClass", Keys.LOCK_CLASS)
            .to(ENTER, Value.ONE, Value.DURATION),
        new EventKind("jdk.JavaMonitorWait")
            .thread("eventThread")
            .attribute("monitorClass", Keys.LOCK_CLASS)
            .to(WAIT, Value.ONE, Value.DURATION),
        new EventKind("jdk.ThreadPark")
            .thread("eventThread")
            .attribute("parkedClass", Keys.LOCK_CLASS)
            .to(PARK, Value.ONE, Value.DURATION),
        new EventKind("profiler.NativeLock")
            .thread("eventThread")
            .to(NATIVE, Value.ONE, Value.DURATION));
  }
}
