package org.buftrail.jfr.events;

import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Predicate;
import org.buftrail.jfr.file.DamageException;
import org.buftrail.jfr.kinds.EventKind;
import org.buftrail.jfr.kinds.Kinds;
import org.buftrail.jfr.kinds.ProfileType;
import org.buftrail.jfr.schema.Metadata;
import org.buftrail.jfr.schema.TypeDescriptor;
import org.buftrail.profile.Kind;
import org.jspecify.annotations.Nullable;

/** Which events are converted. */
public final class EventFilter {
  private final Set<Kind> kinds;
  private final boolean timestamps;
  private final Map<String, ProfileType> whole = new ConcurrentHashMap<>();
  private boolean stacks = true;
  private @Nullable Predicate<EventKind> among;
  private @Nullable Predicate<String> others;
  private final Map<String, EventKind> custom;

  /**
   * @param wanted kinds of profiles; none for all
   * @param named events that are asked for by name, beside those kinds
   * @param timestamps whether every event keeps its time
   */
  public EventFilter(Set<Kind> wanted, Map<String, EventKind> named, boolean timestamps) {
    kinds = wanted.isEmpty() ? EnumSet.allOf(Kind.class) : EnumSet.copyOf(wanted);
    kinds.add(Kind.EVENT);
    custom = named;
    this.timestamps = timestamps;
  }

  /** Accepts nothing but events about the process and marks, which are always wanted. */
  public static EventFilter nothing() {
    // A kind that no event is of by itself.
    return new EventFilter(Set.of(Kind.EVENT), Map.of(), false);
  }

  /** Passes over events of other kinds from now on, but for those that mark. */
  public void only(Predicate<EventKind> wanted) {
    among = wanted;
  }

  /** Everything that may be converted, in the order in which it is written. */
  public List<EventKind> all() {
    List<EventKind> all = new ArrayList<>(Kinds.all());
    all.addAll(custom.values());
    return all;
  }

  /** Whether every event keeps its time. */
  public boolean timestamps() {
    return timestamps;
  }

  /** Passes over the stacks of events from now on. */
  public void withoutStacks() {
    stacks = false;
  }

  public boolean stacks() {
    return stacks;
  }

  /** Takes events as rows of their own too from now on, with all of their fields. */
  public void withOthers(Predicate<String> names) {
    others = names;
  }

  /** Events of a type that a chunk describes as rows of their own, or null if they are none. */
  @Nullable EventKind whole(TypeDescriptor type, Metadata metadata) throws DamageException {
    Predicate<String> wanted = others;
    return wanted == null || !wanted.test(type.name) || type.field("startTime") == null
        ? null
        : Kinds.whole(whole.computeIfAbsent(type.name, Kinds::whole), Column.paths(type, metadata));
  }

  /** What becomes of events of a type, or null if they are passed over. */
  public @Nullable EventKind kind(String event) {
    EventKind named = custom.get(event);
    EventKind kind = named == null ? Kinds.of(event) : named;
    Predicate<EventKind> only = among;
    boolean wanted = kind != null && wants(kind) && (only == null || only.test(kind));
    return kind != null && (wanted || kind.marks()) ? kind : null;
  }

  /**
   * Why events of a type were passed over, in a few words.
   *
   * @param ranged whether only a part of the time is converted
   */
  public String whyNot(String event, boolean ranged) {
    if (kind(event) == null) {
      return Kinds.of(event) == null ? "not a kind of profile" : "not selected";
    }
    EventKind kind = kind(event);
    boolean conditional = kind != null && kind.condition() != null;
    if (ranged) {
      return conditional ? "outside the time, or on the heap" : "outside the time";
    }
    return conditional ? "on the heap" : "damaged";
  }

  private boolean wants(EventKind kind) {
    for (EventKind.Target target : kind.targets()) {
      if (kinds.contains(target.profile().kind())) {
        return true;
      }
    }
    ProfileType offCpu = kind.offCpu();
    ProfileType live = kind.live();
    return (offCpu != null && wants(offCpu.kind())) || (live != null && wants(live.kind()));
  }

  /** Whether a profile of a kind is to be made. */
  public boolean wants(Kind kind) {
    return kinds.contains(kind);
  }
}
