package org.buftrail.jfr.kinds;

import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** How the events of one type become samples: a declaration. Immutable once registered. */
public final class EventKind {
  private final String event;
  private final List<Target> targets = new ArrayList<>();
  private final Map<String, String> attributes = new LinkedHashMap<>();
  private @Nullable String thread;
  private @Nullable Frame frame;
  private @Nullable String leafField;
  private @Nullable ProfileType offCpu;
  private @Nullable Memory memory;
  private @Nullable String condition;
  private Counting counting = Counting.ALL;
  private boolean marks;

  /** The only frame of events that have no stack trace. */
  public sealed interface Frame {
    /** Always the same. */
    record Named(String name) implements Frame {}

    /** The method, class or text in a field. */
    record OfField(String field) implements Frame {}

    /** A whole path as text in a field, root first: many frames. */
    record Path(String field) implements Frame {}
  }

  /**
   * What an event says of the memory at the address in its field {@code address}.
   *
   * @param isFreed whether it is free from now on; else it is allocated
   * @param live the profile of what is still allocated at the end
   * @param family whose addresses these are: what one family allocates, only its own events free
   */
  public record Memory(boolean isFreed, ProfileType live, String family) {}

  /** Which events of a stack count. */
  public enum Counting {
    /** All, added up. */
    ALL,
    /** The last, since values are cumulative. */
    LAST,
    /** Those that came last, at one moment: together they are the state. */
    NEWEST
  }

  /**
   * A profile that events are added to, with what each adds.
   *
   * @param first what is added to its first value
   * @param second what is added to its second value, if it has one
   */
  public record Target(ProfileType profile, Value first, @Nullable Value second) {}

  EventKind(String event) {
    this.event = event;
  }

  /** A declaration that can be added to without changing the one it is taken from. */
  EventKind(EventKind other) {
    event = other.event;
    targets.addAll(other.targets);
    attributes.putAll(other.attributes);
    thread = other.thread;
    frame = other.frame;
    leafField = other.leafField;
    offCpu = other.offCpu;
    memory = other.memory;
    condition = other.condition;
    counting = other.counting;
    marks = other.marks;
  }

  EventKind to(ProfileType profile, Value value) {
    targets.add(new Target(profile, value, null));
    return this;
  }

  EventKind to(ProfileType profile, Value first, Value second) {
    targets.add(new Target(profile, first, second));
    return this;
  }

  EventKind thread(String field) {
    thread = field;
    return this;
  }

  EventKind attribute(String field, String key) {
    attributes.put(field, key);
    return this;
  }

  EventKind frame(Frame only) {
    frame = only;
    return this;
  }

  /** An attribute that is also the method on top of the stack, whose trace begins at the caller. */
  EventKind leaf(String field, String key) {
    leafField = field;
    return attribute(field, key);
  }

  EventKind marking() {
    marks = true;
    return this;
  }

  EventKind offCpu(ProfileType profile) {
    offCpu = profile;
    return this;
  }

  /** An event that allocates {@code size} bytes at {@code address}. */
  static EventKind allocation(
      String event, ProfileType allocated, ProfileType live, String family) {
    EventKind kind = new EventKind(event).thread("eventThread");
    kind.memory = new Memory(false, live, family);
    return kind.to(allocated, Value.ONE, Value.field("size"));
  }

  EventKind frees(ProfileType live, String family) {
    memory = new Memory(true, live, family);
    return this;
  }

  EventKind onlyIf(String field) {
    condition = field;
    return this;
  }

  EventKind counting(Counting which) {
    counting = which;
    return this;
  }

  /** Name of the event type. */
  public String event() {
    return event;
  }

  /** The profiles that it adds to; none for frees. */
  public List<Target> targets() {
    return Collections.unmodifiableList(targets);
  }

  /** All the profiles that its events may go to. */
  public List<ProfileType> profileTypes() {
    List<ProfileType> types = new ArrayList<>();
    targets.forEach(target -> types.add(target.profile()));
    if (offCpu != null) {
      types.add(offCpu);
    }
    if (memory != null) {
      types.add(memory.live());
    }
    return types;
  }

  /** Names of all the profiles that its events may go to. */
  public Set<String> profiles() {
    Set<String> names = new LinkedHashSet<>();
    profileTypes().forEach(profile -> names.add(profile.name()));
    return names;
  }

  /** Attribute keys by the fields that give their values. */
  public Map<String, String> attributes() {
    return Collections.unmodifiableMap(attributes);
  }

  /** The field with the thread, if it has one. */
  public @Nullable String thread() {
    return thread;
  }

  /** The only frame of events that have no stack trace, if it is known. */
  public @Nullable Frame frame() {
    return frame;
  }

  /** The field that the frame is taken from, if it is taken from one. */
  public @Nullable String frameField() {
    if (frame instanceof Frame.OfField only) {
      return only.field();
    }
    return frame instanceof Frame.Path path ? path.field() : null;
  }

  /** The field that names the method on top of the stack, if the stack trace lacks it. */
  public @Nullable String leafField() {
    return leafField;
  }

  /** Where async-profiler's samples of threads that were not on a processor go, if they do. */
  public @Nullable ProfileType offCpu() {
    return offCpu;
  }

  /** Which of its events count. */
  public Counting counting() {
    return counting;
  }

  /** Whether the field that names the frame marks what its thread does during the event. */
  public boolean marks() {
    return marks;
  }

  /** What it says of memory, if anything. */
  public @Nullable Memory memory() {
    return memory;
  }

  /** The profile of what is still allocated at the end. */
  public @Nullable ProfileType live() {
    return memory == null ? null : memory.live();
  }

  /** The boolean field that must be true for an event to count, if there is a condition. */
  public @Nullable String condition() {
    return condition;
  }
}
