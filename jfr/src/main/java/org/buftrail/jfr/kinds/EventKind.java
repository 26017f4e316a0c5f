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
  private @Nullable String frame;
  private @Nullable String frameField;
  private @Nullable String leafField;
  private @Nullable ProfileType offCpu;
  private @Nullable Address address;
  private @Nullable ProfileType live;
  private String family = "";
  private @Nullable String condition;
  private boolean last;
  private boolean newest;
  private boolean path;
  private boolean marks;

  /** What an event says of the memory at an address. */
  public enum Address {
    /** It is allocated from now on. */
    ALLOCATED,
    /** It is free from now on. */
    FREED
  }

  /** A profile that events are added to, with what each adds. */
  public static final class Target {
    private final ProfileType profile;
    private final Value first;
    private final @Nullable Value second;

    Target(ProfileType profile, Value first, @Nullable Value second) {
      this.profile = profile;
      this.first = first;
      this.second = second;
    }

    /** The profile. */
    public ProfileType profile() {
      return profile;
    }

    /** What is added to its first value. */
    public Value first() {
      return first;
    }

    /** What is added to its second value, if it has one. */
    public @Nullable Value second() {
      return second;
    }
  }

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
    frameField = other.frameField;
    leafField = other.leafField;
    offCpu = other.offCpu;
    address = other.address;
    live = other.live;
    family = other.family;
    condition = other.condition;
    last = other.last;
    newest = other.newest;
    path = other.path;
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

  EventKind frame(String name, @Nullable String field) {
    frame = name;
    frameField = field;
    return this;
  }

  /** An attribute that is also the method on top of the stack, whose trace begins at the caller. */
  EventKind leaf(String field, String key) {
    leafField = field;
    return attribute(field, key);
  }

  EventKind path(String field) {
    frame = "";
    frameField = field;
    path = true;
    return this;
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
  static EventKind allocation(String event, ProfileType allocated, ProfileType live) {
    return new EventKind(event)
        .thread("eventThread")
        .allocates(live)
        .to(allocated, Value.ONE, Value.field("size"));
  }

  private EventKind allocates(ProfileType profile) {
    address = Address.ALLOCATED;
    live = profile;
    return this;
  }

  EventKind frees(ProfileType profile) {
    address = Address.FREED;
    live = profile;
    return this;
  }

  EventKind family(String name) {
    family = name;
    return this;
  }

  EventKind onlyIf(String field) {
    condition = field;
    return this;
  }

  EventKind last() {
    last = true;
    return this;
  }

  EventKind newest() {
    last = true;
    newest = true;
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
    if (live != null) {
      types.add(live);
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

  /** The only frame of events that have no stack trace, unless a field names it. */
  public @Nullable String frame() {
    return frame;
  }

  /** The field that names the only frame. */
  public @Nullable String frameField() {
    return frameField;
  }

  /** The field that names the method on top of the stack, if the stack trace lacks it. */
  public @Nullable String leafField() {
    return leafField;
  }

  /** Where async-profiler's samples of threads that were not on a processor go, if they do. */
  public @Nullable ProfileType offCpu() {
    return offCpu;
  }

  /** Whether its values are cumulative, so that only the last event of each frame counts. */
  public boolean isLast() {
    return last;
  }

  /** Whether only the events that came last, at one moment, count: together they are the state. */
  public boolean isNewest() {
    return newest;
  }

  /** Whether the field that names the frame holds a whole path as text, root first. */
  public boolean isPath() {
    return path;
  }

  /** Whether the field that names the frame marks what its thread does during the event. */
  public boolean marks() {
    return marks;
  }

  /** What it says of the memory at the address in its field {@code address}, if anything. */
  public @Nullable Address address() {
    return address;
  }

  /** The profile of what is still allocated at the end. */
  public @Nullable ProfileType live() {
    return live;
  }

  /** Whose addresses it names: what one family allocates, only its own events free. */
  public String family() {
    return family;
  }

  /** The boolean field that must be true for an event to count, if there is a condition. */
  public @Nullable String condition() {
    return condition;
  }
}
