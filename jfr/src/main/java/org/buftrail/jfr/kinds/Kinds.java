package org.buftrail.jfr.kinds;

import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** All event types that are converted without being asked for by name. */
public final class Kinds {
  private static final List<EventKind> ALL = register();
  private static final Map<String, EventKind> BY_EVENT = index();

  private Kinds() {}

  private static List<EventKind> register() {
    List<EventKind> all = new ArrayList<>();
    all.addAll(Cpu.kinds());
    all.addAll(Wall.kinds());
    all.addAll(Allocation.kinds());
    all.addAll(LiveObjects.kinds());
    all.addAll(Locks.kinds());
    all.addAll(InputOutput.kinds());
    all.addAll(Exceptions.kinds());
    all.addAll(Traces.kinds());
    all.addAll(VirtualMachine.kinds());
    return Collections.unmodifiableList(all);
  }

  private static Map<String, EventKind> index() {
    Map<String, EventKind> byEvent = new HashMap<>();
    for (EventKind kind : ALL) {
      byEvent.put(kind.event(), kind);
    }
    return byEvent;
  }

  /** In the order in which their profiles are written. */
  public static List<EventKind> all() {
    return ALL;
  }

  /** What becomes of the events of a type, or null if nothing does. */
  public static @Nullable EventKind of(String event) {
    return BY_EVENT.get(event);
  }
}
