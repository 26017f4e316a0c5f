package org.buftrail.model;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Every figure that somebody can watch, with its name in each place that shows it. Metrics of all
 * kinds, the management bean, the event of totals, alerts and docs/figures.md take names, units and
 * meanings from here, and {@link FigureValues} has the values.
 *
 * <p>Names are promised: what is here is neither renamed nor given another meaning.
 */
public enum Figure {
  ALLOCATED(
      Unit.BUFFERS,
      Kind.COUNTER,
      "Buffers allocated and resources opened",
      names().handlers("allocated").bean("AllocatedCount").event("allocated")),
  BUFFERS_ALLOCATED(
      Unit.BUFFERS,
      Kind.COUNTER,
      "Netty buffers allocated",
      names()
          .handlers("buffers_allocated")
          .prometheus("buffers_allocated_total")
          .meters("allocated")),
  RELEASED(
      Unit.BUFFERS,
      Kind.COUNTER,
      Label.MEMORY,
      "Netty buffers released",
      names()
          .handlers("released")
          .prometheus("buffers_released_total")
          .meters("released")
          .bean("ReleasedCount")
          .event("released")),
  RELEASED_BYTES(
      Unit.BYTES,
      Kind.COUNTER,
      Label.MEMORY,
      "Bytes of the released buffers",
      names().handlers("released_bytes")),
  LEAKED(
      Unit.BUFFERS,
      Kind.COUNTER,
      Label.MEMORY,
      "Netty buffers that leaked: collected without the release that they needed",
      names()
          .handlers("leaked")
          .prometheus("buffers_leaked_total")
          .meters("leaked")
          .bean("LeakedCount")
          .event("leaked")
          .alert("leaked")),
  LEAKED_BYTES(
      Unit.BYTES,
      Kind.COUNTER,
      Label.MEMORY,
      "Bytes of the leaked buffers and of what they held",
      names()
          .handlers("leaked_bytes")
          .prometheus("leaked_bytes_total")
          .meters("leaked.bytes")
          .bean("LeakedBytes")
          .event("leakedBytes")
          .alert("leakedBytes")),
  DIRECT_LEAKED_BYTES(
      Unit.BYTES, Kind.COUNTER, "Leaked bytes outside the heap", names().bean("DirectLeakedBytes")),
  HELD(
      Unit.BUFFERS,
      Kind.COUNTER,
      Label.MEMORY,
      "Netty buffers that leaked within others, which are counted as leaked",
      names()
          .handlers("held")
          .prometheus("buffers_held_total")
          .meters("held")
          .bean("HeldCount")
          .event("held")),
  DROPPED(
      Unit.BUFFERS,
      Kind.COUNTER,
      Label.MEMORY,
      "Netty buffers collected without a release, with nothing lost: no leaks",
      names()
          .handlers("dropped")
          .prometheus("buffers_dropped_total")
          .meters("dropped")
          .bean("DroppedCount")
          .event("dropped")
          .alert("dropped")),
  DROPPED_BYTES(
      Unit.BYTES,
      Kind.COUNTER,
      Label.MEMORY,
      "Bytes of the dropped buffers",
      names()
          .handlers("dropped_bytes")
          .prometheus("dropped_bytes_total")
          .meters("dropped.bytes")
          .bean("DroppedBytes")
          .event("droppedBytes")
          .alert("droppedBytes")),
  LIVE(
      Unit.BUFFERS,
      Label.MEMORY,
      "Netty buffers that are alive",
      names()
          .handlers("live")
          .prometheus("buffers_live")
          .meters("live")
          .bean("ActiveFlowCount")
          .event("live")
          .alert("live")),
  LIVE_BYTES(
      Unit.BYTES,
      Label.MEMORY,
      "Bytes of the buffers that are alive",
      names()
          .handlers("live_bytes")
          .prometheus("live_bytes")
          .meters("live.bytes")
          .bean("LiveBytes")
          .event("liveBytes")
          .alert("liveBytes")),
  DIRECT_LIVE_BYTES(
      Unit.BYTES,
      Kind.GAUGE,
      "Bytes outside the heap of the buffers that are alive",
      names().bean("DirectLiveBytes").event("liveDirectBytes").alert("directBytes")),
  PEAK_LIVE_BYTES(
      Unit.BYTES,
      Kind.GAUGE,
      "Most bytes of buffers that were alive at once since the start",
      names()
          .handlers("peak_live_bytes")
          .prometheus("peak_live_bytes")
          .meters("peak.live.bytes")
          .bean("PeakLiveBytes")
          .event("peakLiveBytes")),
  PEAK_AT(
      Unit.MILLIS,
      Kind.GAUGE,
      "When most bytes of buffers were alive, as time since the epoch",
      names().prometheus("peak_at_seconds").bean("PeakAtMillis")),
  PEAK_PLACE_BYTES(
      Unit.BYTES,
      Label.HOLDER,
      "Bytes of buffers that were alive when most were, by place",
      names().prometheus("peak_place_bytes")),
  POOL_BYTES(
      Unit.BYTES,
      Label.POOL,
      "Memory that Netty's allocators keep, by their own figures",
      names().prometheus("pool_bytes").bean("PoolBytes")),
  POOL_HELD_BYTES(
      Unit.BYTES,
      Label.POOL,
      "Of that, in chunks with live buffers that are followed",
      names().prometheus("pool_held_bytes").bean("PoolHeldBytes")),
  POOL_IDLE_BYTES(
      Unit.BYTES,
      Label.POOL,
      "Of that, in chunks without such buffers",
      names().prometheus("pool_idle_bytes").bean("PoolIdleBytes")),
  POOL_NOT_LOCATED_BYTES(
      Unit.BYTES,
      Label.POOL,
      "Of that, in chunks that were not found",
      names().prometheus("pool_not_located_bytes").bean("PoolNotLocatedBytes")),
  POOL_TAKEN_BYTES(
      Unit.BYTES,
      Label.POOL,
      "Of what is held, what these buffers take",
      names().prometheus("pool_taken_bytes").bean("PoolTakenBytes")),
  POOL_FREE_BYTES(
      Unit.BYTES,
      Label.POOL,
      "Of what is held, what the next allocation may take",
      names().prometheus("pool_free_bytes").bean("PoolFreeBytes")),
  POOL_OTHER_BYTES(
      Unit.BYTES,
      Label.POOL,
      "Of what is held, the rest: caches of threads, rounding, free parts of pages in use, buffers"
          + " that are not followed",
      names().prometheus("pool_other_bytes").bean("PoolOtherBytes")),
  POOL_ALONE_BYTES(
      Unit.BYTES,
      Label.HOLDER,
      "Memory of allocators in chunks with buffers at one place and nothing else",
      names().prometheus("pool_alone_bytes").bean("PoolAloneBytes")),
  POOL_HOLD_BYTES(
      Unit.BYTES,
      Label.HOLDER,
      "All memory of allocators in chunks with buffers at one place; a chunk counts at each of its"
          + " places, so this is not to be added up",
      names().prometheus("pool_hold_bytes")),
  POOL_RETURNED_BYTES(
      Unit.BYTES,
      Label.HOLDER,
      "Memory that allocators certainly give back once the buffers at one place are released",
      names().prometheus("pool_returned_bytes")),
  RESIDENT_BYTES(
      Unit.BYTES,
      Label.OWNER,
      "Memory of the whole process in RAM, by owner, each page counted once",
      names().prometheus("resident_bytes").bean("ResidentBytes")),
  DIRECT_CALL_BYTES(
      Unit.BYTES,
      Label.CALL,
      "Live direct buffers of the JDK, by the application's call that allocated them",
      names().prometheus("direct_call_bytes").bean("DirectCallBytes")),
  DIRECT_ACCOUNT_BYTES(
      Unit.BYTES,
      Label.ACCOUNT,
      "Direct memory as the JVM and Netty count it",
      names().prometheus("direct_account_bytes")),
  DIRECT_LIMIT_BYTES(
      Unit.BYTES,
      Label.ACCOUNT,
      "The most that each of these may count",
      names().prometheus("direct_limit_bytes")),
  RELEASED_SIZES(
      Unit.BUFFERS,
      Kind.COUNTER,
      Label.LE,
      "Sampled releases of buffers with less than so many bytes",
      names().prometheus("released_sizes_total")),
  RELEASED_LIFETIMES(
      Unit.BUFFERS,
      Kind.COUNTER,
      Label.LE,
      "Sampled releases of buffers that lived less than so many seconds",
      names().prometheus("released_lifetimes_total")),
  ROOT_LIVE_BYTES(
      Unit.BYTES,
      Label.ROOT,
      "Bytes that are alive, by where they came from",
      names().prometheus("root_live_bytes")),
  ROOT_LEAKED_BYTES(
      Unit.BYTES,
      Kind.COUNTER,
      Label.ROOT,
      "Bytes leaked, by where they came from",
      names().prometheus("root_leaked_bytes_total")),
  RESOURCES_CLOSED(
      Unit.RESOURCES,
      Kind.COUNTER,
      Label.TYPE,
      "Files, connections and the like that were closed",
      names()
          .handlers("resources_closed")
          .prometheus("resources_closed_total")
          .meters("resources.closed")),
  RESOURCES_LEAKED(
      Unit.RESOURCES,
      Kind.COUNTER,
      Label.TYPE,
      "Files, connections and the like that were collected without having been closed",
      names()
          .handlers("resources_leaked")
          .prometheus("resources_leaked_total")
          .meters("resources.leaked")),
  RESOURCES_LIVE(
      Unit.RESOURCES,
      Label.TYPE,
      "Files, connections and the like that are open",
      names().handlers("resources_live").prometheus("resources_live").meters("resources.live")),
  OLDEST_LIVE(
      Unit.MILLIS,
      Kind.GAUGE,
      "Age of the oldest buffer or resource that is alive",
      names()
          .handlers("oldest_live_millis")
          .prometheus("oldest_live_seconds")
          .meters("oldest.live")
          .bean("OldestLiveMillis")
          .alert("oldest")),
  ROOTS(
      Unit.NONE, Kind.GAUGE, "Allocator methods that buffers came from", names().bean("RootCount")),
  PATHS(
      Unit.PATHS,
      Kind.GAUGE,
      "Paths on which a buffer ended or is now",
      names().handlers("paths").prometheus("paths").bean("PathCount")),
  LEAK_PATHS(
      Unit.PATHS,
      Kind.GAUGE,
      "Paths on which something leaked",
      names().handlers("leak_paths").prometheus("leak_paths").meters("leak.paths")),
  SUSPECT_PATHS(
      Unit.PATHS,
      Kind.GAUGE,
      "Paths that grow, are old, and are hardly released",
      names()
          .handlers("suspect_paths")
          .prometheus("suspect_paths")
          .meters("suspect.paths")
          .event("suspectPaths")
          .alert("suspects")),
  MISUSES(
      Unit.NONE,
      Kind.COUNTER,
      "Buffers released, retained or used after their release",
      names()
          .handlers("misuses")
          .prometheus("misuses_total")
          .meters("misuses")
          .bean("MisuseCount")
          .event("misuses")),
  SAMPLING(
      Unit.NONE,
      Kind.GAUGE,
      "N where 1 in N allocations is followed",
      names().prometheus("sampling").bean("Sampling").event("sampling")),
  OVERFLOWED(
      Unit.BUFFERS,
      Kind.COUNTER,
      "Buffers whose paths went past a bound of the tracker",
      names()
          .handlers("overflowed")
          .prometheus("overflowed_total")
          .bean("OverflowedCount")
          .event("overflowed")),
  SUPPRESSED_ERRORS(
      Unit.NONE,
      Kind.COUNTER,
      "Errors inside the tracker that were kept from the application; 0 is right",
      names()
          .handlers("suppressed_errors")
          .prometheus("suppressed_errors_total")
          .bean("SuppressedErrorCount")),
  LOST_RELEASES(
      Unit.BUFFERS,
      Kind.COUNTER,
      "Releases that could not be counted when they happened",
      names().handlers("lost_releases").prometheus("lost_releases_total").bean("LostReleaseCount")),
  TRACKING(
      Unit.NONE,
      Kind.GAUGE,
      "Whether new buffers are followed: 1 or 0",
      names().handlers("tracking").prometheus("tracking")),
  TRACKING_STOPPED(
      Unit.MILLIS,
      Label.REASON,
      "Since when new buffers are not followed, and why, as time since the epoch",
      names().prometheus("tracking_stopped_seconds").bean("StoppedSinceMillis")),
  THREAD_FAILURES(
      Unit.NONE,
      Kind.COUNTER,
      Label.THREAD,
      "Rounds of the agent's threads that failed",
      names().prometheus("thread_failures_total")),
  THREAD_LAST_ROUND(
      Unit.MILLIS,
      Label.THREAD,
      "When the agent's threads last did their work, as time since the epoch; 0 for never",
      names().prometheus("thread_last_round_seconds"));

  /** What one of it is. */
  public enum Unit {
    BUFFERS,
    RESOURCES,
    PATHS,
    BYTES,
    MILLIS,
    NONE
  }

  /** How it behaves. */
  public enum Kind {
    /** Only grows, but for a reset. */
    COUNTER,
    /** A figure of the moment. */
    GAUGE
  }

  /** The label that splits a figure where a place has labels. */
  public enum Label {
    NONE,
    /** Direct and heap; other places add up both, and resources. */
    MEMORY,
    ROOT,
    /** An allocator's memory of one kind. */
    POOL,
    /** The last hop of live buffers. */
    HOLDER,
    /** One of those that share the resident set. */
    OWNER,
    /** Less than so much: each value counts those of the values before too. */
    LE,
    /** A call that allocates the JDK's direct buffers. */
    CALL,
    /** Who counts direct memory. */
    ACCOUNT,
    TYPE,
    REASON,
    THREAD
  }

  /** Where figures are shown. */
  public enum Place {
    /** {@link FlowMetrics}, which handlers of the application get. */
    HANDLERS,
    /** {@code /metrics}, after {@code buftrail_}. */
    PROMETHEUS,
    /** Micrometer and OpenTelemetry, after {@code buftrail.}. */
    METERS,
    /** The attributes of the management bean. */
    BEAN,
    /** The fields of the event {@code buftrail.FlowStatistics}. */
    EVENT,
    /** The option {@code alert}. */
    ALERT
  }

  private final Unit unit;
  private final Kind kind;
  private final Label label;
  private final String help;

  @SuppressWarnings("ImmutableEnumChecker") // Never changed again.
  private final Map<Place, String> names;

  /** Of a figure of the moment. */
  Figure(Unit unit, Label label, String help, FigureNames names) {
    this(unit, Kind.GAUGE, label, help, names);
  }

  /** Of a figure that nothing splits. */
  Figure(Unit unit, Kind kind, String help, FigureNames names) {
    this(unit, kind, Label.NONE, help, names);
  }

  Figure(Unit unit, Kind kind, Label label, String help, FigureNames names) {
    this.unit = unit;
    this.kind = kind;
    this.label = label;
    this.help = help;
    this.names = names.all();
  }

  private static FigureNames names() {
    return new FigureNames();
  }

  /** What one of it is. */
  public Unit unit() {
    return unit;
  }

  /** How it behaves. */
  public Kind kind() {
    return kind;
  }

  /** The label that splits it. */
  public Label label() {
    return label;
  }

  /** A description, in one line without a full stop. */
  public String help() {
    return help;
  }

  /** Its name in a place; null where that does not show it. */
  public @Nullable String name(Place place) {
    return names.get(place);
  }

  /** The figures that a place shows, in order. */
  public static List<Figure> in(Place place) {
    List<Figure> shown = new ArrayList<>();
    for (Figure figure : values()) {
      if (figure.name(place) != null) {
        shown.add(figure);
      }
    }
    return shown;
  }

  /** The figure that a place calls so; null where none is. */
  public static @Nullable Figure of(Place place, String name) {
    for (Figure figure : values()) {
      if (name.equals(figure.name(place))) {
        return figure;
      }
    }
    return null;
  }
}
