package org.buftrail.jfr.kinds;

import java.util.List;
import org.buftrail.profile.Kind;
import org.buftrail.profile.ValueType;

/**
 * Java objects allocated. The events of allocation inside and outside of thread-local buffers do
 * not overlap and belong together; the samples of the JDK and those of Datadog are of the same
 * allocations, so each stands apart. Their events say how much they stand for: they have no period.
 */
final class Allocation {
  private static final ValueType SPACE = ValueType.of("allocated_space", "bytes");

  static final ProfileType TLAB = type("alloc", "space", 512 << 10);
  static final ProfileType SAMPLED = type("alloc_sampled", "alloc_sampled", 1);
  static final ProfileType DATADOG = type("alloc_datadog", "alloc_datadog", 1);

  private Allocation() {}

  private static ProfileType type(String name, String periodType, long period) {
    return new ProfileType(
        name,
        Kind.ALLOC,
        ValueType.of("allocated_objects", "count"),
        SPACE,
        ValueType.of(periodType, "bytes"),
        period);
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
            .to(DATADOG, Value.weight("weight"), Value.product("size", "weight")));
  }
}
