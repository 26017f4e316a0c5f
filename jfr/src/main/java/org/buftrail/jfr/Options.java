package org.buftrail.jfr;

import java.util.Collections;
import java.util.EnumSet;
import java.util.Set;
import org.buftrail.jfr.kinds.Kind;

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

  private static final class Change {
    Set<Kind> kinds = Collections.emptySet();
    boolean timestamps;
    boolean bytecodeIndex;
    boolean normalized;
    long from = Long.MIN_VALUE;
    long to = Long.MAX_VALUE;

    Change() {}

    Change(Options options) {
      kinds = options.kinds;
      timestamps = options.timestamps;
      bytecodeIndex = options.bytecodeIndex;
      normalized = options.normalized;
      from = options.from;
      to = options.to;
    }
  }

  private Options(Change change) {
    kinds = change.kinds;
    timestamps = change.timestamps;
    bytecodeIndex = change.bytecodeIndex;
    normalized = change.normalized;
    from = change.from;
    to = change.to;
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
