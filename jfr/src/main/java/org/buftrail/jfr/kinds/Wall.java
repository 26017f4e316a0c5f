package org.buftrail.jfr.kinds;

import java.util.List;
import org.buftrail.profile.ValueType;

/** Threads whether they run or wait. */
final class Wall {
  static final ProfileType SAMPLED =
      new ProfileType(
          "wall",
          Kind.WALL,
          ValueType.of("samples", "count"),
          null,
          ValueType.of("wall", "nanoseconds"),
          50_000_000);

  /** Datadog's own sampler, which may run beside another. */
  static final ProfileType DATADOG =
      new ProfileType(
          "wall_datadog",
          Kind.WALL,
          ValueType.of("samples", "count"),
          null,
          ValueType.of("wall_datadog", "nanoseconds"),
          50_000_000);

  private Wall() {}

  static List<EventKind> kinds() {
    return List.of(
        new EventKind("profiler.WallClockSample")
            .thread("sampledThread")
            .attribute("state", Keys.THREAD_STATE)
            .to(SAMPLED, Value.weight("samples")),
        new EventKind("datadog.MethodSample")
            .thread("eventThread")
            .attribute("state", Keys.THREAD_STATE)
            .linked()
            .to(DATADOG, Value.weight("weight")));
  }
}
