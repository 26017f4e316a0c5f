package org.buftrail.jfr.process;

import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import org.buftrail.jfr.kinds.EventKind;
import org.buftrail.jfr.kinds.Kinds;
import org.buftrail.jfr.kinds.ProfileType;
import org.buftrail.profile.ValueType;
import org.jspecify.annotations.Nullable;

/**
 * How one process was sampled, as the settings in its recording say.
 *
 * <p>The JDK repeats its settings in every chunk; async-profiler writes its own in the first alone,
 * so they hold until the process ends, but not for chunks that the JDK wrote in between.
 */
public final class SamplingSettings {
  private static final String RECORDING = "jdk.ActiveRecording";
  private static final String EXECUTION = "jdk.ExecutionSample";
  private static final String ALLOCATION = "jdk.ObjectAllocationInNewTLAB";
  private static final String MALLOC = "profiler.Malloc";
  private static final String LIVE = "profiler.LiveObject";
  private static final String WALL_EVENT = "wall";
  private static final String DATADOG = "datadog.";
  private static final String NANOSECONDS = "nanoseconds";

  /** What async-profiler's default of 0 means for processor time, in nanoseconds. */
  private static final long DEFAULT_CPU_INTERVAL = 10_000_000;

  private static final long UNSTATED = -1;

  /** What async-profiler calls the events of which the interval is a time. */
  private static final Set<String> TIMED = Set.of("", "cpu", "itimer", "ctimer", WALL_EVENT);

  /** What it calls those of which it samples only threads on a processor. */
  private static final Set<String> ON_CPU = Set.of("cpu", "itimer", "ctimer", "cycles");

  /** What it calls those that it writes as events of other types. */
  private static final Set<String> NOT_EXECUTION =
      Set.of("alloc", "lock", "nativemem", "nativelock");

  /** Settings that async-profiler alone writes, in the first chunk of a recording. */
  private static final Set<String> OWN =
      Set.of(
          RECORDING + "#event",
          RECORDING + "#engine",
          EXECUTION + "#interval",
          EXECUTION + "#wall",
          ALLOCATION + "#alloc",
          MALLOC + "#nativemem");

  /** Names of all settings that matter. */
  private static final Set<String> NAMES =
      Set.of("event", "engine", "interval", "period", WALL_EVENT, "alloc", "nativemem");

  private final Map<ProfileType, Long> stated = new HashMap<>();
  private long interval = UNSTATED;
  private long wall = UNSTATED;
  private String event = "";
  private boolean isLater;

  /** Whether the chunk states a period as the JDK does, which then wrote its samples. */
  private boolean isOfJdk;

  /** Whether settings of an event type may matter. */
  public static boolean concern(String type) {
    return type.equals(RECORDING) || Kinds.of(type) != null;
  }

  /** Whether a setting of this name may matter. */
  public static boolean isKnown(String name) {
    return NAMES.contains(name);
  }

  /** Begins the next chunk. */
  public void beginChunk() {
    isLater = true;
    isOfJdk = false;
  }

  /** Forgets the process. */
  public void clear() {
    stated.clear();
    interval = UNSTATED;
    wall = UNSTATED;
    event = "";
  }

  /** Takes note of what a {@code jdk.ActiveSetting} says of an event type. */
  public void add(String type, String name, String value) {
    String setting = type + '#' + name;
    if (isLater && OWN.contains(setting)) {
      // A recording of async-profiler begins: what another, to which it was appended, said is over.
      clear();
      isLater = false;
    }
    switch (setting) {
      case RECORDING + "#event" -> event = value;
      case EXECUTION + "#interval" -> interval = Period.parse(value);
      case EXECUTION + "#wall" -> wall = Period.parse(value);
      case ALLOCATION + "#alloc" -> {
        state(Kinds.of(type), "bytes", value);
        // Live objects are a part of the sampled allocations.
        state(Kinds.of(LIVE), "bytes", value);
      }
      case MALLOC + "#nativemem" -> state(Kinds.of(type), "bytes", value);
      default -> {
        isOfJdk |= setting.equals(EXECUTION + "#period");
        if (name.equals("period") || (name.equals("interval") && type.startsWith(DATADOG))) {
          state(Kinds.of(type), NANOSECONDS, value);
        }
      }
    }
  }

  /** Sets a period; many an event has one that only says how often it is written. */
  private void state(@Nullable EventKind kind, String unit, String value) {
    long period = Period.parse(value);
    if (kind == null || period <= 0) {
      return;
    }
    for (EventKind.Target target : kind.targets()) {
      state(target.profile(), unit, period);
    }
    if (kind.live() != null) {
      state(kind.live(), unit, period);
    }
  }

  private void state(ProfileType profile, String unit, long period) {
    ValueType type = profile.periodType();
    if (type.unit().equals(unit)) {
      stated.put(profile, period);
    }
  }

  /**
   * The event that async-profiler's samples of execution count, a method or page faults for
   * instance; null if they are of time.
   */
  public @Nullable String counted() {
    return isOfJdk || TIMED.contains(event) ? null : event;
  }

  /** How many events a sample stands for, if they are {@link #counted}. */
  public long countedPeriod() {
    // Its defaults differ from event to event and from version to version.
    return Math.max(1, interval);
  }

  /**
   * Whether samples of execution are of threads on a processor, whatever state they name; what
   * counts events other than time is.
   *
   * <p>Up to 2.9, async-profiler wrote such threads as {@code STATE_RUNNABLE}, as it does with
   * threads that the wall clock samples. Where both ran, only the state tells.
   */
  public boolean isOnCpuOnly() {
    boolean isCounted = counted() != null && !NOT_EXECUTION.contains(event);
    return !isOfJdk && wall <= 0 && (ON_CPU.contains(event) || isCounted);
  }

  /** The periods of profile types that differ from their own, in the unit of each. */
  public Map<ProfileType, Long> periods() {
    Map<ProfileType, Long> periods = new HashMap<>(stated);
    EventKind kind = Kinds.of(EXECUTION);
    if (kind == null) {
      return periods;
    }
    ProfileType onCpu = kind.targets().get(0).profile();
    ProfileType offCpu = kind.offCpu();
    boolean isWall = event.equals(WALL_EVENT);
    if (interval != UNSTATED && !isOfJdk && counted() == null && !isWall) {
      periods.put(onCpu, interval > 0 ? interval : DEFAULT_CPU_INTERVAL);
    }
    long wallInterval = isWall && wall <= 0 ? interval : wall;
    if (offCpu != null && wallInterval > 0) {
      periods.put(offCpu, wallInterval);
    }
    return periods;
  }
}
