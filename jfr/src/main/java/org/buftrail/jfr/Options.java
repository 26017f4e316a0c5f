package org.buftrail.jfr;

import java.util.Collections;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import org.buftrail.jfr.kinds.Kind;
import org.jspecify.annotations.Nullable;

/** What to convert, and how. Immutable; each method answers changed options. */
public final class Options {
  /** Every kind that the recordings have; sums without times. */
  public static final Options DEFAULT = new Options(new Change());

  private final Set<Kind> kinds;
  private final boolean timestamps;
  private final boolean bytecodeIndex;
  private final boolean normalized;
  private final long from;
  private final long to;

  private final List<Event> events;

  /**
   * An event type that is asked for by name.
   *
   * @param name name of the event type
   * @param field the field to add up, or null to count events
   * @param unit unit of the field, or null for what the recording says
   */
  public record Event(String name, @Nullable String field, @Nullable String unit) {
    /**
     * Reads {@code NAME[:field[:unit]]}.
     *
     * @throws IllegalArgumentException if there is no name, or more than three parts
     */
    public static Event parse(String text) {
      String[] parts = text.split(":", -1);
      if (parts[0].isEmpty() || parts.length > 3) {
        throw new IllegalArgumentException("event \"" + text + "\": NAME[:field[:unit]] expected");
      }
      return new Event(
          parts[0],
          parts.length > 1 && !parts[1].isEmpty() ? parts[1] : null,
          parts.length > 2 && !parts[2].isEmpty() ? parts[2] : null);
    }
  }

  private static final class Change {
    Set<Kind> kinds = Collections.emptySet();
    boolean timestamps;
    boolean bytecodeIndex;
    boolean normalized;
    long from = Long.MIN_VALUE;
    long to = Long.MAX_VALUE;
    List<Event> events = List.of();

    Change() {}

    Change(Options options) {
      kinds = options.kinds;
      timestamps = options.timestamps;
      bytecodeIndex = options.bytecodeIndex;
      normalized = options.normalized;
      from = options.from;
      to = options.to;
      events = options.events;
    }
  }

  private Options(Change change) {
    kinds = change.kinds;
    timestamps = change.timestamps;
    bytecodeIndex = change.bytecodeIndex;
    normalized = change.normalized;
    from = change.from;
    to = change.to;
    events = change.events;
  }

  /** Converts these kinds only; none for all. */
  public Options kinds(Set<Kind> wanted) {
    Change change = new Change(this);
    change.kinds =
        wanted.isEmpty()
            ? Collections.emptySet()
            : Collections.unmodifiableSet(EnumSet.copyOf(wanted));
    return new Options(change);
  }

  /** Keeps the time of every event. */
  public Options timestamps(boolean wanted) {
    Change change = new Change(this);
    change.timestamps = wanted;
    return new Options(change);
  }

  /** Keeps frames apart that differ in their bytecode index alone, and writes it. */
  public Options bytecodeIndex(boolean wanted) {
    Change change = new Change(this);
    change.bytecodeIndex = wanted;
    return new Options(change);
  }

  /** Cuts the numbers from the names of lambdas and other hidden classes. */
  public Options normalized(boolean wanted) {
    Change change = new Change(this);
    change.normalized = wanted;
    return new Options(change);
  }

  /**
   * Converts only events that start in a part of the recording's time.
   *
   * @param first nanoseconds since the epoch, included; {@link Long#MIN_VALUE} for all
   * @param last nanoseconds since the epoch, included; {@link Long#MAX_VALUE} for all
   */
  public Options between(long first, long last) {
    Change change = new Change(this);
    change.from = first;
    change.to = last;
    return new Options(change);
  }

  /** Converts these event types too, each to a profile of its own. */
  public Options events(List<Event> wanted) {
    Change change = new Change(this);
    change.events = List.copyOf(wanted);
    return new Options(change);
  }

  /** The event types asked for by name. */
  public List<Event> events() {
    return events;
  }

  /** The wanted kinds, empty for all. */
  public Set<Kind> kinds() {
    return kinds;
  }

  /** Whether every event keeps its time. */
  public boolean timestamps() {
    return timestamps;
  }

  /** Whether frames keep their bytecode index. */
  public boolean bytecodeIndex() {
    return bytecodeIndex;
  }

  /** Whether hidden-class names lose their numbers. */
  public boolean normalized() {
    return normalized;
  }

  /** The first instant, in nanoseconds since the epoch. */
  public long from() {
    return from;
  }

  /** The last instant, in nanoseconds since the epoch. */
  public long to() {
    return to;
  }
}
