package org.buftrail.jfr.kinds;

import java.util.ArrayList;
import java.util.List;
import org.buftrail.profile.Kind;
import org.buftrail.profile.ValueType;

/** Reading and writing files and sockets: how often, how much, how long. */
final class InputOutput {
  private static final ValueType OPERATIONS = ValueType.of("operations", "count");
  private static final ValueType BYTES = ValueType.of("transferred", "bytes");
  private static final ValueType TIME = ValueType.of("io_time", "nanoseconds");

  private InputOutput() {}

  private static EventKind kind(String event, String name, String bytes) {
    ProfileType amount =
        new ProfileType(name, Kind.IO, OPERATIONS, BYTES, ValueType.of(name, "count"), 1);
    ProfileType time =
        new ProfileType(name + "_time", Kind.IO, TIME, null, ValueType.of(name, "count"), 1);
    return new EventKind(event)
        .thread("eventThread")
        .to(amount, Value.ONE, Value.field(bytes))
        .to(time, Value.DURATION);
  }

  static List<EventKind> kinds() {
    List<EventKind> kinds = new ArrayList<>();
    kinds.add(kind("jdk.SocketRead", "socket_read", "bytesRead"));
    kinds.add(kind("jdk.SocketWrite", "socket_write", "bytesWritten"));
    kinds.add(kind("jdk.FileRead", "file_read", "bytesRead"));
    kinds.add(kind("jdk.FileWrite", "file_write", "bytesWritten"));
    ProfileType force =
        new ProfileType(
            "file_force", Kind.IO, OPERATIONS, TIME, ValueType.of("file_force", "count"), 1);
    kinds.add(
        new EventKind("jdk.FileForce").thread("eventThread").to(force, Value.ONE, Value.DURATION));
    return kinds;
  }
}
