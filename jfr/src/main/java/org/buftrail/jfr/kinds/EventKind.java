package org.buftrail.jfr.kinds;

import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * How the events of one type become samples: a declaration.
 *
 * @param event name of the event type
 * @param targets the profiles that it adds to; none for frees
 * @param attributes attribute keys by the fields that give their values
 * @param thread the field with the thread, if it has one
 * @param frame where frames come from
 * @param counting which of its events count, and what is left of them at the end
 * @param offCpu where async-profiler's samples of threads that were not on a processor go, if they
 *     do
 * @param condition the boolean field that must be true for an event to count, if there is one
 */
public record EventKind(
    String event,
    List<Target> targets,
    Map<String, String> attributes,
    @Nullable String thread,
    Frame frame,
    Counting counting,
    @Nullable ProfileType offCpu,
    @Nullable String condition) {

  private static final String SIZE = "size";

  /** Where the frames of an event come from. */
  public sealed interface Frame {
    /** From its stack trace alone. */
    record StackTrace() implements Frame {}

    /** The only frame of events that have no stack trace is always the same. */
    record Named(String name) implements Frame {}

    /** The only frame is the method, class or text in a field. */
    record OfField(String field) implements Frame {}

    /** The only frame is the text in a field, with which the event marks what lies in it. */
    record Tag(String field) implements Frame {}

    /** A whole path as text in a field, root first: many frames. */
    record Path(String field) implements Frame {}

    /** The method in a field, which is an attribute, is put on top of the stack trace. */
    record Leaf(String field) implements Frame {}
  }

  /** Which events of a stack count, and how. */
  public sealed interface Counting {
    /** All, added up. */
    record All() implements Counting {}

    /** The last, since values are cumulative. */
    record Last() implements Counting {}

    /** Those that came last, at one moment: together they are the state. */
    record Newest() implements Counting {}

    /**
     * All, added up; and each says of the memory at the address in its field {@code address} what
     * has become of it.
     *
     * @param isFreed whether it is free from now on; else it is allocated
     * @param live the profile of what is still allocated at the end
     * @param family whose addresses these are: what one family allocates, only its own events free
     * @param size the field that says how many bytes are allocated
     */
    record Memory(boolean isFreed, ProfileType live, String family, String size)
        implements Counting {}
  }

  /**
   * A profile that events are added to, with what each adds.
   *
   * @param first what is added to its first value
   * @param second what is added to its second value, if it has one
   */
  public record Target(ProfileType profile, Value first, @Nullable Value second) {}

  /** Makes what is declared unmodifiable. */
  public EventKind {
    targets = List.copyOf(targets);
    attributes = Collections.unmodifiableMap(new LinkedHashMap<>(attributes));
  }

  EventKind(String event) {
    this(event, List.of(), Map.of(), null, new Frame.StackTrace(), new Counting.All(), null, null);
  }

  EventKind to(ProfileType profile, Value value) {
    return to(new Target(profile, value, null));
  }

  EventKind to(ProfileType profile, Value first, Value second) {
    return to(new Target(profile, first, second));
  }

  private EventKind to(Target target) {
    List<Target> more = new ArrayList<>(targets);
    more.add(target);
    return new EventKind(event, more, attributes, thread, frame, counting, offCpu, condition);
  }

  EventKind thread(String field) {
    return new EventKind(event, targets, attributes, field, frame, counting, offCpu, condition);
  }

  EventKind attribute(String field, String key) {
    Map<String, String> more = new LinkedHashMap<>(attributes);
    more.put(field, key);
    return new EventKind(event, targets, more, thread, frame, counting, offCpu, condition);
  }

  EventKind frame(Frame from) {
    return new EventKind(event, targets, attributes, thread, from, counting, offCpu, condition);
  }

  EventKind offCpu(ProfileType profile) {
    return new EventKind(event, targets, attributes, thread, frame, counting, profile, condition);
  }

  EventKind onlyIf(String field) {
    return new EventKind(event, targets, attributes, thread, frame, counting, offCpu, field);
  }

  EventKind counting(Counting which) {
    return new EventKind(event, targets, attributes, thread, frame, which, offCpu, condition);
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
        .counting(new Counting.Memory(false, live, family, size))
        .to(allocated, Value.ONE, Value.field(size));
  }

  EventKind frees(ProfileType live, String family) {
    return counting(new Counting.Memory(true, live, family, SIZE));
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
    if (frame instanceof Frame.OfField only) {
      return only.field();
    } else if (frame instanceof Frame.Tag tag) {
      return tag.field();
    }
    return frame instanceof Frame.Path path ? path.field() : null;
  }

  /** Whether events mark what their threads do meanwhile. */
  public boolean marks() {
    return frame instanceof Frame.Tag;
  }

  /** Whether only some of the events of a stack count, which are not added up. */
  public boolean isGauge() {
    return counting instanceof Counting.Last || isState();
  }

  /** Whether the events of one moment are a state together. */
  public boolean isState() {
    return counting instanceof Counting.Newest;
  }

  /** The profile of what is still allocated at the end, if it says so. */
  public @Nullable ProfileType live() {
    return counting instanceof Counting.Memory memory ? memory.live() : null;
  }

  /** The kind's meaning for memory, if it has one. */
  public Counting.@Nullable Memory memory() {
    return counting instanceof Counting.Memory memory ? memory : null;
  }
}
