package org.buftrail.jfr;

import java.util.Collections;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import org.buftrail.profile.Kind;
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
  private final long fromMillis;
  private final long toMillis;
  private final @Nullable Pattern include;
  private final @Nullable Pattern exclude;
  private final boolean threads;
  private final long mostUnpacked;

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
    long fromMillis;
    long toMillis;
    @Nullable Pattern include;
    @Nullable Pattern exclude;
    boolean threads;
    long mostUnpacked = Long.MAX_VALUE;

    Change() {}

    Change(Options options) {
      kinds = options.kinds;
      timestamps = options.timestamps;
      bytecodeIndex = options.bytecodeIndex;
      normalized = options.normalized;
      from = options.from;
      to = options.to;
      events = options.events;
      fromMillis = options.fromMillis;
      toMillis = options.toMillis;
      include = options.include;
      exclude = options.exclude;
      threads = options.threads;
      mostUnpacked = options.mostUnpacked;
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
    fromMillis = change.fromMillis;
    toMillis = change.toMillis;
    include = change.include;
    exclude = change.exclude;
    threads = change.threads;
    mostUnpacked = change.mostUnpacked;
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

  /**
   * Refuses packed recordings that take more bytes unpacked; without, those alone that are packed
   * as no recording is.
   *
   * @param most at least 1
   */
  public Options mostUnpacked(long most) {
    if (most < 1) {
      throw new IllegalArgumentException("at most " + most + " bytes");
    }
    Change change = new Change(this);
    change.mostUnpacked = most;
    return new Options(change);
  }

  /** How many bytes a packed recording may take unpacked. */
  public long mostUnpacked() {
    return mostUnpacked;
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

  /**
   * Converts only events that start in a part of each recording's time, in milliseconds: negative
   * from the recording's end, below 1,500,000,000,000 from its start, else since the epoch; 0 for
   * no bound.
   *
   * @param first included
   * @param last included
   */
  public Options window(long first, long last) {
    Change change = new Change(this);
    change.fromMillis = first;
    change.toMillis = last;
    return new Options(change);
  }

  /**
   * Converts only samples whose stack has a frame that matches: the whole name of a method, {@code
   * a/b/C.m} or with dots, or of a class.
   *
   * @param pattern null for all
   */
  public Options include(@Nullable Pattern pattern) {
    Change change = new Change(this);
    change.include = pattern;
    return new Options(change);
  }

  /**
   * Leaves out samples whose stack has a frame that matches, as in {@link #include(Pattern)}.
   *
   * @param pattern null for none
   */
  public Options exclude(@Nullable Pattern pattern) {
    Change change = new Change(this);
    change.exclude = pattern;
    return new Options(change);
  }

  /** Makes each thread the root frame of its stacks, {@code [name tid=N]}. */
  public Options threads(boolean wanted) {
    Change change = new Change(this);
    change.threads = wanted;
    return new Options(change);
  }

  /** The first millisecond, as {@link #window} takes it; 0 for no bound. */
  public long fromMillis() {
    return fromMillis;
  }

  /** The last millisecond, as {@link #window} takes it; 0 for no bound. */
  public long toMillis() {
    return toMillis;
  }

  /** What a frame must match, or null. */
  public @Nullable Pattern include() {
    return include;
  }

  /** What no frame may match, or null. */
  public @Nullable Pattern exclude() {
    return exclude;
  }

  /** Whether threads are root frames. */
  public boolean threads() {
    return threads;
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
