package org.buftrail.jfr.kinds;

import java.util.List;
import org.buftrail.profile.Kind;
import org.buftrail.profile.ValueType;

/** Threads whether they run or wait. */
final class Wall {
  static final ProfileType SAMPLED = type("wall");

  /** Datadog's own sampler, which may run beside another. */
  static final ProfileType DATADOG = type("wall_datadog");

  private Wall() {}

  private static ProfileType type(String name) {
    return new ProfileType(
        name,
        Kind.WALL,
        ValueType.of("samples", "count"),
        null,
        ValueType.of(name, "nanoseconds"),
        50_000_000);
  }

  static List<EventKind> kinds() {
    return List.of(
        new EventKind("profiler.WallClockSample")
            .thread("sampledThread")
            .attribute("state", Keys.THREAD_STATE)
            .to(SAMPLED, Value.weight("samples")),
        new EventKind("datadog.MethodSample")
            .thread("eventThread")
            .attribute("state", Keys.THREAD_STATE)
            .to(DATADOG, Value.weight("weight")));
  }
}
