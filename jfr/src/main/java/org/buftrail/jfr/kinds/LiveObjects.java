package org.buftrail.jfr.kinds;

import java.util.List;
import org.buftrail.profile.Kind;
import org.buftrail.profile.ValueType;

/** Java objects that were still alive when the recording ended, where they were allocated. */
final class LiveObjects {
  static final ProfileType LIVE = type("live", ValueType.of("space", "bytes"), 512 << 10);

  /** Datadog's own sampler, which may run beside another. */
  static final ProfileType DATADOG = type("live_datadog", ValueType.of("live_datadog", "bytes"), 1);

  /** A few objects, picked at random, that stand for themselves alone. */
  static final ProfileType OLD = type("live_old", ValueType.of("objects", "count"), 1);

  private LiveObjects() {}

  private static ProfileType type(String name, ValueType periodType, long period) {
    return new ProfileType(
        name,
        Kind.LIVE,
        ValueType.of("inuse_objects", "count"),
        ValueType.of("inuse_space", "bytes"),
        periodType,
        period);
  }

  static List<EventKind> kinds() {
    return List.of(
        new EventKind("profiler.LiveObject")
            .thread("eventThread")
            .attribute("objectClass", Keys.CLASS)
            .to(LIVE, Value.ONE, Value.field("allocationSize")),
        new EventKind("datadog.HeapLiveObject")
            .thread("eventThread")
            .attribute("objectClass", Keys.CLASS)
            .to(DATADOG, Value.weight("weight"), Value.product("size", "weight")),
        new EventKind("jdk.OldObjectSample")
            .thread("eventThread")
            .attribute("object", Keys.CLASS)
            .to(OLD, Value.ONE, Value.field("objectSize")));
  }
}
