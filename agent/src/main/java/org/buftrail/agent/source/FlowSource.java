package org.buftrail.agent.source;

import java.io.IOException;
import java.util.function.Function;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.buftrail.model.FigureValues;
import org.buftrail.model.Minutes;
import org.buftrail.model.PoolMemory;
import org.buftrail.model.ProcessMemory;
import org.buftrail.model.Snapshot;
import org.jspecify.annotations.Nullable;

/**
 * Snapshots of the running JVM for all who show them, taken no more often than needed.
 *
 * <p>A snapshot costs time in proportion to nodes and live flows; pages, beans and scrapers ask as
 * often as somebody looks. They share one that is young enough. Thread-safe.
 */
public final class FlowSource {
  /** The age up to which a shared snapshot is good enough for a person, in milliseconds. */
  public static final long FRESH_MILLIS = 1_000;

  /** How old an answer of the allocators may be for who only watches. */
  private static final long POOLS_MILLIS = 10_000;

  /** How old an answer about the whole process may be for who only watches. */
  public static final long PROCESS_MILLIS = 60_000;

  private final Supplier<Snapshot> taker;
  private final LongSupplier nanos;
  private final Supplier<@Nullable PoolMemory> pools;
  private final Function<Snapshot, @Nullable Minutes> minutes;
  private final ProcessLook process;

  private @Nullable PoolMemory latestPools;
  private long latestPoolsNanos;
  private @Nullable Snapshot latest;
  private long latestNanos;
  private @Nullable Snapshot latestShown;
  private @Nullable FigureValues latestFigures;
  private @Nullable Since base;
  private long sinceMillis;
  private volatile @Nullable History history;

  /**
   * @param taker takes a snapshot of everything since the start
   * @param nanos a clock that never goes back
   * @param startedMillis when counting began, in milliseconds since the epoch
   */
  public FlowSource(Supplier<Snapshot> taker, LongSupplier nanos, long startedMillis) {
    this(taker, nanos, startedMillis, () -> null, now -> null, FlowSource::notLooking);
  }

  /**
   * @param taker takes a snapshot of everything since the start
   * @param nanos a clock that never goes back
   * @param startedMillis when counting began, in milliseconds since the epoch
   * @param pools asks the allocators what they keep
   * @param minutes what happened minute by minute up to a snapshot of everything since the start
   * @param look finds out who shares the resident set of the process
   */
  public FlowSource(
      Supplier<Snapshot> taker,
      LongSupplier nanos,
      long startedMillis,
      Supplier<@Nullable PoolMemory> pools,
      Function<Snapshot, @Nullable Minutes> minutes,
      ProcessLook.Look look) {
    this.process = new ProcessLook(look, nanos);
    this.pools = pools;
    this.minutes = minutes;
    this.taker = taker;
    this.nanos = nanos;
    this.sinceMillis = startedMillis;
  }

  private static ProcessMemory notLooking(@Nullable PoolMemory pools) throws IOException {
    throw new IOException("nobody looks at the process");
  }

  /** Everything since the start, whatever was reset, at most {@code maxAgeMillis} old. */
  public synchronized Snapshot sinceStart(long maxAgeMillis) {
    Snapshot snapshot = latest;
    long now = nanos.getAsLong();
    if (snapshot == null || now - latestNanos > maxAgeMillis * 1_000_000) {
      snapshot = taker.get();
      latest = snapshot;
      latestNanos = now;
      latestShown = null;
      latestFigures = null;
    }
    return snapshot;
  }

  /** Everything since the last reset, at most {@code maxAgeMillis} old. */
  public synchronized Snapshot snapshot(long maxAgeMillis) {
    Snapshot all = sinceStart(maxAgeMillis);
    if (base == null) {
      return all;
    }
    Snapshot shown = latestShown;
    if (shown == null) {
      shown = base.of(all);
      latestShown = shown;
    }
    return shown;
  }

  /**
   * A snapshot with what the allocators keep now and what happened before, to be written or sent.
   *
   * @param snapshot taken just now
   */
  public Snapshot whole(Snapshot snapshot) {
    return snapshot.with(pools(0)).with(minutes());
  }

  /** What happened minute by minute up to now; null where nobody kept it. */
  public @Nullable Minutes minutes() {
    return minutes.apply(sinceStart(FRESH_MILLIS));
  }

  /**
   * A snapshot with what the allocators keep. The answer of before does for {@value #POOLS_MILLIS}
   * ms, since each has its price, if it names an allocator.
   *
   * @param snapshot as young as it is to be
   */
  public Snapshot withRecentPools(Snapshot snapshot) {
    return snapshot.with(pools(POOLS_MILLIS));
  }

  /**
   * A snapshot with who shares the resident set of the process, looked at no more often than once
   * in {@value #PROCESS_MILLIS} ms; without, where that is not known.
   */
  public Snapshot withRecentProcess(Snapshot snapshot) {
    return snapshot.with(process(PROCESS_MILLIS).memory());
  }

  /** Who shares the resident set of the process, at most so many milliseconds ago. */
  public ProcessLook.Answer process(long maxAgeMillis) {
    return process.answer(maxAgeMillis, () -> pools(POOLS_MILLIS));
  }

  private synchronized @Nullable PoolMemory pools(long maxAgeMillis) {
    long now = nanos.getAsLong();
    PoolMemory known = latestPools;
    // An allocator may come at any moment, so an answer that names none is not kept.
    boolean isEmpty = known == null || known.pools().isEmpty();
    if (isEmpty || now - latestPoolsNanos > maxAgeMillis * 1_000_000) {
      latestPools = pools.get();
      latestPoolsNanos = now;
    }
    return latestPools;
  }

  /** The figures of {@link #snapshot}, added up once for all who ask. */
  public synchronized FigureValues figures(long maxAgeMillis) {
    Snapshot shown = snapshot(maxAgeMillis);
    FigureValues figures = latestFigures;
    if (figures == null) {
      figures = FigureValues.of(shown);
      latestFigures = figures;
    }
    return figures;
  }

  /**
   * Counts released and leaked flows from 0 again; what is live stays. The tracker goes on
   * undisturbed: what came before is only taken off what is shown.
   */
  public synchronized void reset() {
    Snapshot all = sinceStart(0);
    base = new Since(all);
    latestShown = null;
    latestFigures = null;
    sinceMillis = all.takenAtMillis();
  }

  /**
   * Begins to keep the history, for which snapshots are passed to it now and again. All that show
   * it share one.
   */
  public synchronized History keepHistory() {
    History kept = history;
    if (kept == null) {
      kept = new History();
      history = kept;
    }
    return kept;
  }

  /** The history; null if nobody asked to keep it. */
  public @Nullable History history() {
    return history;
  }

  /** When the counting of {@link #snapshot} began, in milliseconds since the epoch. */
  public synchronized long sinceMillis() {
    return sinceMillis;
  }
}
