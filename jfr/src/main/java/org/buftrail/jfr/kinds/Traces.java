package org.buftrail.jfr.kinds;

import java.util.List;
import org.buftrail.profile.ValueType;

/** Methods whose every call was recorded, or counted, and spans that a program named. */
final class Traces {
  private static final ValueType CALLS = ValueType.of("calls", "count");
  private static final ValueType TIME = ValueType.of("time", "nanoseconds");

  private static final ValueType SPANS = ValueType.of("spans", "count");

  private Traces() {}

  static List<EventKind> kinds() {
    return List.of(
        new EventKind("profiler.Span")
            .thread("eventThread")
            .frame("span", "tag")
            .marking()
            .to(
                new ProfileType("span", Kind.TRACE, SPANS, TIME, SPANS, 1),
                Value.ONE,
                Value.DURATION),
        new EventKind("jdk.MethodTrace")
            .thread("eventThread")
            .leaf("method", "code.function.name")
            .to(
                new ProfileType("method_trace", Kind.TRACE, CALLS, TIME, CALLS, 1),
                Value.ONE,
                Value.DURATION),
        new EventKind("jdk.MethodTiming")
            .frame("", "method")
            .last()
            .to(
                new ProfileType("method_timing", Kind.TRACE, CALLS, TIME, CALLS, 1),
                Value.field("invocations"),
                Value.product("invocations", "average")));
  }
}
