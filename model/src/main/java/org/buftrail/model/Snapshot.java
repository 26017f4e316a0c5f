package org.buftrail.model;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What the tracker knows at one moment: totals, and every path on which a flow ended or is now.
 *
 * <p>Immutable. Counts are already scaled by {@link #sampling()}. At a quiet moment {@code
 * allocated = released + leaked + held + dropped + live}.
 */
public final class Snapshot {
  /**
   * The rules by which hops are made now. Another number means that the same program has other
   * paths, so that snapshots of different rules do not compare.
   */
  public static final int HOP_RULES = 4;

  /** The rules of {@code fewerHops=true}; no other rules have this number. */
  public static final int HOP_RULES_FEWER = 5;

  /** The rules of snapshots that do not say theirs. */
  public static final int FIRST_HOP_RULES = 1;

  private final long takenAtMillis;
  private final int sampling;
  private final long allocated;
  private final long overflowed;
  private final TrackerStatus status;
  private final List<Path> paths;
  private final List<Misuse> misuses;
  private final @Nullable TrackedProcess process;
  private final int hopRules;
  private final @Nullable PoolMemory pools;
  private final @Nullable Peak peak;
  private final @Nullable Minutes minutes;
  private final @Nullable ProcessMemory resident;
  private final @Nullable SummedProcesses processes;

  /**
   * @param takenAtMillis milliseconds since the epoch
   * @param sampling N where 1 in N allocations was followed; 1 for all
   * @param allocated flows started
   * @param overflowed flows that went past a bound
   * @param status what the tracker says of itself
   * @param paths in no particular order; those equal by hops and memory are added up
   * @param misuses in no particular order; those of one kind, place and path are added up
   */
  public Snapshot(
      long takenAtMillis,
      int sampling,
      long allocated,
      long overflowed,
      TrackerStatus status,
      List<Path> paths,
      List<Misuse> misuses) {
    this(
        takenAtMillis,
        sampling,
        allocated,
        overflowed,
        status,
        paths,
        misuses,
        null,
        HOP_RULES,
        null,
        null,
        null,
        null,
        null);
  }

  private Snapshot(
      long takenAtMillis,
      int sampling,
      long allocated,
      long overflowed,
      TrackerStatus status,
      List<Path> paths,
      List<Misuse> misuses,
      @Nullable TrackedProcess process,
      int hopRules,
      @Nullable PoolMemory pools,
      @Nullable Peak peak,
      @Nullable Minutes minutes,
      @Nullable ProcessMemory resident,
      @Nullable SummedProcesses processes) {
    this.takenAtMillis = takenAtMillis;
    this.sampling = sampling;
    this.allocated = allocated;
    this.overflowed = overflowed;
    this.status = status;
    this.paths = paths instanceof CountedPaths ? paths : Unique.paths(List.copyOf(paths));
    this.misuses = Unique.misuses(misuses);
    this.process = process;
    this.hopRules = hopRules;
    this.pools = pools;
    this.peak = peak;
    this.minutes = minutes;
    this.resident = resident;
    this.processes = processes;
  }

  /**
   * Returns a snapshot in which nothing has happened yet.
   *
   * @param takenAtMillis milliseconds since the epoch
   */
  public static Snapshot empty(long takenAtMillis) {
    return new Snapshot(takenAtMillis, 1, 0, 0, TrackerStatus.FINE, List.of(), List.of());
  }

  /** The same, said to be of a process. */
  public Snapshot of(@Nullable TrackedProcess whose) {
    return with(whose, hopRules, pools, peak, minutes, resident, processes);
  }

  /** Returns the same, with hops that were made by the rules of this number. */
  public Snapshot withHopRules(int rules) {
    return with(process, rules, pools, peak, minutes, resident, processes);
  }

  /** Returns the same with what allocators keep; null where nobody asked them. */
  public Snapshot with(@Nullable PoolMemory memory) {
    return with(process, hopRules, memory, peak, minutes, resident, processes);
  }

  /** Returns the same with what was live at the highest moment; null where nobody looked. */
  public Snapshot with(@Nullable Peak highest) {
    return with(process, hopRules, pools, highest, minutes, resident, processes);
  }

  /** Returns the same with what happened minute by minute; null where nobody kept it. */
  public Snapshot with(@Nullable Minutes before) {
    return with(process, hopRules, pools, peak, before, resident, processes);
  }

  /** Returns the same with who shares the process's resident set; null where nobody asked. */
  public Snapshot with(@Nullable ProcessMemory shared) {
    return with(process, hopRules, pools, peak, minutes, shared, processes);
  }

  /** Returns the same with the processes that it is the sum of; null for one process. */
  public Snapshot with(@Nullable SummedProcesses each) {
    return with(process, hopRules, pools, peak, minutes, resident, each);
  }

  private Snapshot with(
      @Nullable TrackedProcess whose,
      int rules,
      @Nullable PoolMemory memory,
      @Nullable Peak highest,
      @Nullable Minutes before,
      @Nullable ProcessMemory shared,
      @Nullable SummedProcesses each) {
    return new Snapshot(
        takenAtMillis,
        sampling,
        allocated,
        overflowed,
        status,
        paths,
        misuses,
        whose,
        rules,
        memory,
        highest,
        before,
        shared,
        each);
  }

  /** When it was taken, in milliseconds since the epoch. */
  public long takenAtMillis() {
    return takenAtMillis;
  }

  /** N where 1 in N allocations was followed; 1 for all. */
  public int sampling() {
    return sampling;
  }

  /** The number of the rules by which hops were made, see {@link #HOP_RULES}. */
  public int hopRules() {
    return hopRules;
  }

  /** Flows started. */
  public long allocated() {
    return allocated;
  }

  /** Flows that went past a bound of the trie. */
  public long overflowed() {
    return overflowed;
  }

  /** Errors inside the tracker that were kept from the application. */
  public long suppressedErrors() {
    return status.suppressedErrors();
  }

  /** The state of the tracker. */
  public TrackerStatus status() {
    return status;
  }

  /** Every path on which a flow ended or is now; no two are equal by hops and memory. */
  public List<Path> paths() {
    return paths;
  }

  /** The misuses of released buffers. */
  public List<Misuse> misuses() {
    return misuses;
  }

  /** Whose flows these are; null where nobody said so. */
  public @Nullable TrackedProcess process() {
    return process;
  }

  /** What allocators keep, and by which buffers; null where nobody asked them. */
  public @Nullable PoolMemory pools() {
    return pools;
  }

  /**
   * The flows that were live at the highest moment since the start; null if that was not watched.
   */
  public @Nullable Peak peak() {
    return peak;
  }

  /** What happened minute by minute in the last 24 hours; null where nobody kept it. */
  public @Nullable Minutes minutes() {
    return minutes;
  }

  /** Who shares the process's resident set; null where nobody asked. */
  public @Nullable ProcessMemory resident() {
    return resident;
  }

  /** The processes that it is the sum of; null where it is of one. */
  public @Nullable SummedProcesses processes() {
    return processes;
  }

  /** Flows that ended with a count of 0, over all paths. */
  public Path.Flows released() {
    Path.Flows sum = Path.Flows.NONE;
    for (Path path : paths) {
      sum = sum.plus(path.released());
    }
    return sum;
  }

  /** Flows that leaked, over all paths; the bytes are those of the {@link #held} ones too. */
  public Path.Flows leaked() {
    Path.Flows sum = Path.Flows.NONE;
    for (Path path : paths) {
      sum = sum.plus(path.leaked());
    }
    return sum;
  }

  /** How many more flows the leaked ones held, over all paths. */
  public long held() {
    long held = 0;
    for (Path path : paths) {
      held += path.held();
    }
    return held;
  }

  /** Flows that were collected unreleased with nothing lost, over all paths. */
  public Path.Flows dropped() {
    Path.Flows sum = Path.Flows.NONE;
    for (Path path : paths) {
      sum = sum.plus(path.dropped());
    }
    return sum;
  }

  /** Flows that are somewhere now, over all paths. */
  public Path.Flows live() {
    Path.Flows sum = Path.Flows.NONE;
    for (Path path : paths) {
      sum = sum.plus(path.live());
    }
    return sum;
  }
}
