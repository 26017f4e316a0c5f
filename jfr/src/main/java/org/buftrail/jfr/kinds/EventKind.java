package org.buftrail.jfr.kinds;

import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** How the events of one type become samples: a declaration, which only this package completes. */
public final class EventKind {
  private static final String SIZE = "size";

  /** Where the frames of an event come from unless it declares otherwise. */
  private static final Frame STACK_TRACE = new Frame(Frame.From.STACK_TRACE, "");

  /**
   * Where the frames of an event come from. One class for all sources, since a short run would load
   * each of theirs.
   *
   * @param name of the field, or of the frame; empty of stack traces
   */
  public record Frame(From from, String name) {
    public enum From {
      /** From its stack trace alone. */
      STACK_TRACE,

      /** The only frame of events that have no stack trace is always the same. */
      NAME,

      /** The only frame is the method, class or text in a field. */
      FIELD,

      /** The only frame is the text in a field, with which the event marks what lies in it. */
      TAG,

      /** A whole path as text in a field, root first: many frames. */
      PATH,

      /** The method in a field, which is an attribute, is put on top of the stack trace. */
      LEAF
    }
  }

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
   * What an event says of the memory at the address in its field {@code address}.
   *
   * @param isFreed whether it is free from now on; else it is allocated
   * @param live the profile of what is still allocated at the end
   * @param family whose addresses these are: what one family allocates, only its own events free
   * @param size the field that says how many bytes are allocated
   */
  public record Memory(boolean isFreed, ProfileType live, String family, String size) {}

  /**
   * A profile that events are added to, with what each adds.
   *
   * @param first what is added to its first value
   * @param second what is added to its second value, if it has one
   */
  public record Target(ProfileType profile, Value first, @Nullable Value second) {}

  private final String event;
  private final List<Target> targets = new ArrayList<>(1);
  private final Map<String, String> attributes = new LinkedHashMap<>();
  private @Nullable String thread;
  private Frame frame = STACK_TRACE;
  private Counting counting = Counting.ALL;
  private @Nullable Memory memory;
  private @Nullable ProfileType offCpu;
  private @Nullable String condition;

  EventKind(String event) {
    this.event = event;
  }

  /** One that begins as another is. */
  EventKind(EventKind other) {
    event = other.event;
    targets.addAll(other.targets);
    attributes.putAll(other.attributes);
    thread = other.thread;
    frame = other.frame;
    counting = other.counting;
    memory = other.memory;
    offCpu = other.offCpu;
    condition = other.condition;
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

  EventKind frame(Frame.From from, String name) {
    frame = new Frame(from, name);
    return this;
  }

  EventKind offCpu(ProfileType profile) {
    offCpu = profile;
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

  private EventKind memory(Memory said) {
    memory = said;
    return this;
  }

  /** An event that allocates {@code size} bytes at {@code address}. */
  static EventKind allocation(
      String event, ProfileType allocated, ProfileType live, String family) {
    return allocation(event, SIZE, allocated, live, family);
  }

  /**
   * An event that allocates memory at {@code address}.
   *
   * @param size the field that says how many bytes
   */
  static EventKind allocation(
      String event, String size, ProfileType allocated, ProfileType live, String family) {
    return new EventKind(event)
        .thread("eventThread")
        .memory(new Memory(false, live, family, size))
        .to(allocated, Value.ONE, Value.field(size));
  }

  EventKind frees(ProfileType live, String family) {
    return memory(new Memory(true, live, family, SIZE));
  }

  /** Name of the event type. */
  public String event() {
    return event;
  }

  /** The profiles that it adds to; none for frees. */
  public List<Target> targets() {
    return Collections.unmodifiableList(targets);
  }

  /** Attribute keys by the fields that give their values. */
  public Map<String, String> attributes() {
    return Collections.unmodifiableMap(attributes);
  }

  /** The field with the thread, if it has one. */
  public @Nullable String thread() {
    return thread;
  }

  /** Where frames come from. */
  public Frame frame() {
    return frame;
  }

  /** What it says of memory, if it does. */
  public @Nullable Memory memory() {
    return memory;
  }

  /** Where async-profiler's samples of threads that were not on a processor go, if they do. */
  public @Nullable ProfileType offCpu() {
    return offCpu;
  }

  /** The boolean field that must be true for an event to count, if there is one. */
  public @Nullable String condition() {
    return condition;
  }

  /** All the profiles that its events may go to. */
  public List<ProfileType> profileTypes() {
    List<ProfileType> types = new ArrayList<>();
    targets.forEach(target -> types.add(target.profile()));
    if (offCpu != null) {
      types.add(offCpu);
    }
    ProfileType live = live();
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

  /** The field that the only frame, or all frames, are taken from, if they are. */
  public @Nullable String frameField() {
    Frame.From from = frame.from();
    return from == Frame.From.FIELD || from == Frame.From.TAG || from == Frame.From.PATH
        ? frame.name()
        : null;
  }

  /** Whether events mark what their threads do meanwhile. */
  public boolean marks() {
    return frame.from() == Frame.From.TAG;
  }

  /** Whether only some of the events of a stack count, which are not added up. */
  public boolean isGauge() {
    return counting != Counting.ALL;
  }

  /** Whether the events of one moment are a state together. */
  public boolean isState() {
    return counting == Counting.NEWEST;
  }

  /** The profile of what is still allocated at the end, if it says so. */
  public @Nullable ProfileType live() {
    return memory == null ? null : memory.live();
  }
}
