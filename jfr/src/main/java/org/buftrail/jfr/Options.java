package org.buftrail.jfr;

import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import org.buftrail.jfr.merge.Choices;
import org.buftrail.jfr.merge.NamedEvent;
import org.buftrail.profile.Kind;
import org.jspecify.annotations.Nullable;

/** What to convert, and how. Immutable; each method answers changed options. */
public final class Options {
  /** Every kind that the recordings have; sums without times. */
  public static final Options DEFAULT = new Options(new Choices());

  final Choices values;

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

  private Options(Choices values) {
    this.values = values;
  }

  /** Converts these kinds only; none for all. */
  public Options kinds(Set<Kind> wanted) {
    Set<Kind> kept =
        wanted.isEmpty()
            ? Collections.emptySet()
            : Collections.unmodifiableSet(EnumSet.copyOf(wanted));
    Choices changed = values.clone();
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
    Choices changed = values.clone();
    changed.mostUnpacked = most;
    return new Options(changed);
  }

  /** Keeps the time of every event. */
  public Options timestamps(boolean wanted) {
    Choices changed = values.clone();
    changed.timestamps = wanted;
    return new Options(changed);
  }

  /** Keeps frames apart that differ in their bytecode index alone, and writes it. */
  public Options bytecodeIndex(boolean wanted) {
    Choices changed = values.clone();
    changed.bytecodeIndex = wanted;
    return new Options(changed);
  }

  /** Keeps frames apart that differ in how they ran alone: interpreted, compiled or inlined. */
  public Options compilation(boolean wanted) {
    Choices changed = values.clone();
    changed.compilation = wanted;
    return new Options(changed);
  }

  /** Cuts the numbers from the names of lambdas and other hidden classes. */
  public Options normalized(boolean wanted) {
    Choices changed = values.clone();
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
    Choices changed = values.clone();
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
    Choices changed = values.clone();
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
    Choices changed = values.clone();
    changed.include = pattern;
    return new Options(changed);
  }

  /**
   * Leaves out samples whose stack has a frame that matches, as in {@link #include(Pattern)}.
   *
   * @param pattern null for none
   */
  public Options exclude(@Nullable Pattern pattern) {
    Choices changed = values.clone();
    changed.exclude = pattern;
    return new Options(changed);
  }

  /** Makes each thread the root frame of its stacks, {@code [name tid=N]}. */
  public Options threads(boolean wanted) {
    Choices changed = values.clone();
    changed.threads = wanted;
    return new Options(changed);
  }

  /** Converts these event types too, each to a profile of its own. */
  public Options events(List<Event> wanted) {
    List<NamedEvent> named = new ArrayList<>();
    for (Event event : wanted) {
      named.add(new NamedEvent(event.name(), event.field(), event.unit()));
    }
    Choices changed = values.clone();
    changed.events = List.copyOf(named);
    return new Options(changed);
  }
}
