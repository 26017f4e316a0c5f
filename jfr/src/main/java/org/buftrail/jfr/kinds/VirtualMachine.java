package org.buftrail.jfr.kinds;

import java.util.List;
import org.buftrail.profile.Kind;
import org.buftrail.profile.ValueType;

/** Work of the virtual machine itself: events without a stack, one frame each. */
final class VirtualMachine {
  private VirtualMachine() {}

  private static EventKind kind(String event, String name, String field) {
    ValueType count = ValueType.of("pauses", "count");
    ValueType time = ValueType.of("pause_time", "nanoseconds");
    ProfileType type = new ProfileType(name, Kind.GC, count, time, ValueType.of(name, "count"), 1);
    return new EventKind(event)
        .frame(EventKind.Frame.From.FIELD, field)
        .to(type, Value.ONE, Value.DURATION);
  }

  static List<EventKind> kinds() {
    return List.of(
        kind("jdk.GCPhasePause", "gc_pause", "name"),
        kind("jdk.ExecuteVMOperation", "vm_operation", "operation"));
  }
}
