package org.buftrail.jfr.kinds;

import java.util.List;
import org.buftrail.profile.Kind;
import org.buftrail.profile.ValueType;

/** Memory from {@code malloc}: what was allocated, and what was not freed by the end. */
final class NativeMemory {
  private static final ValueType SPACE = ValueType.of("space", "bytes");

  static final ProfileType ALLOCATED =
      new ProfileType(
          "nativemem",
          Kind.NATIVEMEM,
          ValueType.of("malloc_objects", "count"),
          ValueType.of("malloc_space", "bytes"),
          SPACE,
          1);
  static final ProfileType UNFREED =
      new ProfileType(
          "nativemem_unfreed",
          Kind.NATIVEMEM,
          ValueType.of("unfreed_objects", "count"),
          ValueType.of("unfreed_space", "bytes"),
          SPACE,
          1);

  private NativeMemory() {}

  static List<EventKind> kinds() {
    return List.of(
        EventKind.allocation("profiler.Malloc", ALLOCATED, UNFREED, ""),
        new EventKind("profiler.Free").frees(UNFREED, ""));
  }
}
