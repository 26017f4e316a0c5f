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
  public static final Options DEFAULT = new Options(new Draft());

  final Set<Kind> kinds;
  final List<Event> events;
  final boolean timestamps;
  final boolean bytecodeIndex;
  final boolean compilation;
  final boolean normalized;
  final boolean threads;
  final @Nullable Pattern include;
  final @Nullable Pattern exclude;

  /** Nanoseconds since the epoch. */
  final long from;

  final long to;

  /** As {@link #window} takes them. */
  final long fromMillis;

  final long toMillis;
  final long mostUnpacked;

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

  /** What is changed before there are options of it. Not by lambdas, which a start waits for. */
  private static final class Draft {
    Set<Kind> kinds = Collections.emptySet();
    List<Event> events = List.of();
    boolean timestamps;
    boolean bytecodeIndex;
    boolean compilation;
    boolean normalized;
    boolean threads;
    @Nullable Pattern include;
    @Nullable Pattern exclude;
    long from = Long.MIN_VALUE;
    long to = Long.MAX_VALUE;
    long fromMillis;
    long toMillis;
    long mostUnpacked = Long.MAX_VALUE;

    Draft() {}

    Draft(Options options) {
      kinds = options.kinds;
      events = options.events;
      timestamps = options.timestamps;
      bytecodeIndex = options.bytecodeIndex;
      compilation = options.compilation;
      normalized = options.normalized;
      threads = options.threads;
      include = options.include;
      exclude = options.exclude;
      from = options.from;
      to = options.to;
      fromMillis = options.fromMillis;
      toMillis = options.toMillis;
      mostUnpacked = options.mostUnpacked;
    }
  }

  private Options(Draft draft) {
    kinds = draft.kinds;
    events = draft.events;
    timestamps = draft.timestamps;
    bytecodeIndex = draft.bytecodeIndex;
    compilation = draft.compilation;
    normalized = draft.normalized;
    threads = draft.threads;
    include = draft.include;
    exclude = draft.exclude;
    from = draft.from;
    to = draft.to;
    fromMillis = draft.fromMillis;
    toMillis = draft.toMillis;
    mostUnpacked = draft.mostUnpacked;
  }

  /** Converts these kinds only; none for all. */
  public Options kinds(Set<Kind> wanted) {
    Set<Kind> kept =
        wanted.isEmpty()
            ? Collections.emptySet()
            : Collections.unmodifiableSet(EnumSet.copyOf(wanted));
    Draft changed = new Draft(this);
    changed.kinds = kept;
    return new Options(changed);
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
    Draft changed = new Draft(this);
    changed.mostUnpacked = most;
    return new Options(changed);
  }

  /** Keeps the time of every event. */
  public Options timestamps(boolean wanted) {
    Draft changed = new Draft(this);
    changed.timestamps = wanted;
    return new Options(changed);
  }

  /** Keeps frames apart that differ in their bytecode index alone, and writes it. */
  public Options bytecodeIndex(boolean wanted) {
    Draft changed = new Draft(this);
    changed.bytecodeIndex = wanted;
    return new Options(changed);
  }

  /** Keeps frames apart that differ in how they ran alone: interpreted, compiled or inlined. */
  public Options compilation(boolean wanted) {
    Draft changed = new Draft(this);
    changed.compilation = wanted;
    return new Options(changed);
  }

  /** Cuts the numbers from the names of lambdas and other hidden classes. */
  public Options normalized(boolean wanted) {
    Draft changed = new Draft(this);
    changed.normalized = wanted;
    return new Options(changed);
  }

  /**
   * Converts only events that start in a part of the recording's time.
   *
   * @param first nanoseconds since the epoch, included; {@link Long#MIN_VALUE} for all
   * @param last nanoseconds since the epoch, included; {@link Long#MAX_VALUE} for all
   */
  public Options between(long first, long last) {
    Draft changed = new Draft(this);
    changed.from = first;
    changed.to = last;
    return new Options(changed);
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
    Draft changed = new Draft(this);
    changed.fromMillis = first;
    changed.toMillis = last;
    return new Options(changed);
  }

  /**
   * Converts only samples whose stack has a frame that matches: the whole name of a method, {@code
   * a/b/C.m} or with dots, or of a class.
   *
   * @param pattern null for all
   */
  public Options include(@Nullable Pattern pattern) {
    Draft changed = new Draft(this);
    changed.include = pattern;
    return new Options(changed);
  }

  /**
   * Leaves out samples whose stack has a frame that matches, as in {@link #include(Pattern)}.
   *
   * @param pattern null for none
   */
  public Options exclude(@Nullable Pattern pattern) {
    Draft changed = new Draft(this);
    changed.exclude = pattern;
    return new Options(changed);
  }

  /** Makes each thread the root frame of its stacks, {@code [name tid=N]}. */
  public Options threads(boolean wanted) {
    Draft changed = new Draft(this);
    changed.threads = wanted;
    return new Options(changed);
  }

  /** Converts these event types too, each to a profile of its own. */
  public Options events(List<Event> wanted) {
    List<Event> kept = List.copyOf(wanted);
    Draft changed = new Draft(this);
    changed.events = kept;
    return new Options(changed);
  }
}
