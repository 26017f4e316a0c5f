package org.buftrail.jfr.kinds;

import java.util.List;
import org.buftrail.profile.ValueType;

/**
 * Java objects allocated. The events of allocation inside and outside of thread-local buffers do
 * not overlap and belong together; the JDK's samples are of the same allocations and stand apart.
 */
final class Allocation {
  private static final ValueType SPACE = ValueType.of("alloc_space", "bytes");

  static final ProfileType TLAB = type("alloc");
  static final ProfileType SAMPLED = type("alloc_sampled");

  private Allocation() {}

  private static ProfileType type(String name) {
    return new ProfileType(
        name,
        Kind.ALLOC,
        ValueType.of("alloc_objects", "count"),
        SPACE,
        ValueType.of("space", "bytes"),
        512 << 10);
  }

  static List<EventKind> kinds() {
    return List.of(
        new EventKind("jdk.ObjectAllocationInNewTLAB")
            .thread("eventThread")
            .attribute("objectClass", Keys.CLASS)
            .to(TLAB, Value.ONE, Value.field("tlabSize")),
        new EventKind("jdk.ObjectAllocationOutsideTLAB")
            .thread("eventThread")
            .attribute("objectClass", Keys.CLASS)
            .to(TLAB, Value.ONE, Value.field("allocationSize")),
        new EventKind("jdk.ObjectAllocationSample")
            .thread("eventThread")
            .attribute("objectClass", Keys.CLASS)
            .to(SAMPLED, Value.ONE, Value.field("weight")),
        new EventKind("datadog.ObjectSample")
            .thread("eventThread")
            .attribute("objectClass", Keys.CLASS)
            .linked()
            .to(SAMPLED, Value.weight("weight"), Value.product("size", "weight")));
  }
}
