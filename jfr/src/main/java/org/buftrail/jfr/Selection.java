package org.buftrail.jfr;

import java.util.EnumSet;
import java.util.Set;
import org.buftrail.jfr.kinds.EventKind;
import org.buftrail.jfr.kinds.Kind;
import org.buftrail.jfr.kinds.Kinds;
import org.jspecify.annotations.Nullable;

/** Which events are converted. */
final class Selection {
  private final Set<Kind> kinds;
  private final boolean timestamps;

  Selection(Set<Kind> kinds, boolean timestamps) {
    this.kinds = kinds.isEmpty() ? EnumSet.allOf(Kind.class) : EnumSet.copyOf(kinds);
    this.timestamps = timestamps;
  }

  /** Whether every event keeps its time. */
  boolean timestamps() {
    return timestamps;
  }

  /** What becomes of events of a type, or null if they are passed over. */
  @Nullable EventKind kind(String event) {
    EventKind kind = Kinds.of(event);
    return kind != null && wants(kind) ? kind : null;
  }

  private boolean wants(EventKind kind) {
    for (EventKind.Target target : kind.targets()) {
      if (kinds.contains(target.profile().kind())) {
        return true;
      }
    }
    return kind.offCpu() != null && kinds.contains(kind.offCpu().kind());
  }

  /** Whether a profile of a kind is to be made. */
  boolean wants(Kind kind) {
    return kinds.contains(kind);
  }
}
