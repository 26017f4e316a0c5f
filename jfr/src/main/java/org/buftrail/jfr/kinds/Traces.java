package org.buftrail.jfr.kinds;

import java.util.List;
import org.buftrail.profile.Kind;
import org.buftrail.profile.ValueType;

/** Methods whose every call was recorded, or counted, and spans that a program named. */
final class Traces {
  private static final ValueType CALLS = ValueType.of("calls", "count");
  private static final ValueType TIME = ValueType.of("time", "nanoseconds");

  private static final ValueType SPANS = ValueType.of("spans", "count");

  private Traces() {}

  private static ProfileType type(String name) {
    return new ProfileType(name, Kind.TRACE, CALLS, TIME, ValueType.of(name, "count"), 1);
  }

  static List<EventKind> kinds() {
    return List.of(
        new EventKind("profiler.Span")
            .thread("eventThread")
            .frame(EventKind.Frame.From.TAG, "tag")
            .to(
                new ProfileType("span", Kind.TRACE, SPANS, TIME, SPANS, 1),
                Value.ONE,
                Value.DURATION),
        new EventKind("jdk.MethodTrace")
            .thread("eventThread")
            .attribute("method", "code.function.name")
            .frame(EventKind.Frame.From.LEAF, "method")
            .to(type("method_trace"), Value.ONE, Value.DURATION),
        new EventKind("jdk.MethodTiming")
            .frame(EventKind.Frame.From.FIELD, "method")
            .counting(EventKind.Counting.LAST)
            .to(
                type("method_timing"),
                Value.field("invocations"),
                Value.product("invocations", "average")));
  }
}
