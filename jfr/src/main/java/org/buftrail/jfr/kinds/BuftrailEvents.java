package org.buftrail.jfr.kinds;

import java.util.List;
import org.buftrail.profile.Kind;
import org.buftrail.profile.ValueType;

/**
 * What Buftrail's own agent records of the buffers that it follows: leaks and misuses as they are
 * found, and what is live at the end. The path of a buffer is the stack.
 */
final class BuftrailEvents {
  private static final ValueType PERIOD = ValueType.of("bytebuf", "count");

  private BuftrailEvents() {}

  private static ProfileType type(String name, String what) {
    return new ProfileType(
        name,
        Kind.NETTY,
        ValueType.of(what + "_objects", "count"),
        ValueType.of(what + "_space", "bytes"),
        PERIOD,
        1);
  }

  static List<EventKind> kinds() {
    return List.of(
        new EventKind("buftrail.Leak")
            .frame(EventKind.Frame.From.PATH, "path")
            .attribute("direct", Keys.DIRECT)
            .to(type("flow_leaked", "leaked"), Value.field("count"), Value.field("bytes")),
        new EventKind("buftrail.LiveFlows")
            .frame(EventKind.Frame.From.PATH, "path")
            .attribute("direct", Keys.DIRECT)
            .attribute("suspect", "buftrail.flow.suspect")
            .counting(EventKind.Counting.NEWEST)
            .to(type("flow_live", "live"), Value.field("count"), Value.field("bytes")),
        new EventKind("buftrail.DoubleRelease")
            .frame(EventKind.Frame.From.PATH, "path")
            .attribute("kind", "buftrail.misuse.kind")
            .attribute("place", "buftrail.misuse.place")
            .to(
                new ProfileType(
                    "flow_misused", Kind.NETTY, ValueType.of("misuses", "count"), null, PERIOD, 1),
                Value.field("count")));
  }
}
