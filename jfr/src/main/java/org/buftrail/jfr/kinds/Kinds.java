package org.buftrail.jfr.kinds;

import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.buftrail.profile.Kind;
import org.buftrail.profile.ValueType;
import org.jspecify.annotations.Nullable;

/** All event types that are converted without being asked for by name. */
public final class Kinds {
  private static final List<EventKind> ALL = register();
  private static final Map<String, EventKind> BY_EVENT = index();

  /** Fields that rows have columns for. */
  private static final Set<String> CARRIED =
      Set.of("startTime", "duration", "eventThread", "stackTrace");

  private Kinds() {}

  private static List<EventKind> register() {
    List<EventKind> all = new ArrayList<>();
    all.addAll(Cpu.kinds());
    all.addAll(Wall.kinds());
    all.addAll(Allocation.kinds());
    all.addAll(LiveObjects.kinds());
    all.addAll(Locks.kinds());
    all.addAll(NativeMemory.kinds());
    all.addAll(NettyBuffers.kinds());
    all.addAll(BuftrailEvents.kinds());
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

  /**
   * A profile of async-profiler's samples that count an event instead of time.
   *
   * @param event as async-profiler calls it: {@code page-faults}, or a method
   */
  public static ProfileType counted(String event) {
    return new ProfileType(
        event, Kind.CPU, ValueType.of("samples", "count"), null, ValueType.of(event, "count"), 1);
  }

  /**
   * Makes events of a type a profile of their own, beside what becomes of them anyway.
   *
   * @param base what becomes of them, or null if nothing does
   * @param event name of the event type
   * @param field the field to add up, or null to count events
   * @param unit unit of the field, or null for what the recording says
   */
  public static EventKind custom(
      @Nullable EventKind base, String event, @Nullable String field, @Nullable String unit) {
    String type = field == null ? "events" : field;
    String counted = field == null ? "count" : "duration".equals(field) ? "nanoseconds" : "units";
    ValueType value = ValueType.of(type, unit == null ? counted : unit);
    ValueType period = ValueType.of("events", "count");
    String name = field == null ? event : event + ":" + field;
    EventKind kind =
        base == null
            ? new EventKind(event).thread("eventThread").frame(EventKind.Frame.From.NAME, event)
            : new EventKind(base);
    return kind.to(
        new ProfileType(name, Kind.EVENT, value, null, period, 1),
        field == null ? Value.ONE : Value.named(field, unit));
  }

  /** What events of a type that become no profile are as rows. */
  public static ProfileType whole(String event) {
    return new ProfileType(
        event,
        Kind.EVENT,
        ValueType.of("events", "count"),
        ValueType.of("duration", "nanoseconds"),
        ValueType.of("events", "count"),
        1);
  }

  /**
   * Makes events of a type, which become no profile, rows that have all of their fields.
   *
   * @param type from {@link #whole(String)}
   */
  public static EventKind whole(ProfileType type, List<String> fields) {
    EventKind kind = new EventKind(type.name()).thread("eventThread");
    for (String field : fields) {
      if (!CARRIED.contains(field)) {
        kind.attribute(field, field);
      }
    }
    return kind.to(type, Value.ONE, Value.DURATION);
  }

  /** What becomes of the events of a type, or null if nothing does. */
  public static @Nullable EventKind of(String event) {
    return BY_EVENT.get(event);
  }
}
