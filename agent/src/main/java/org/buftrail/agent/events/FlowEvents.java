package org.buftrail.agent.events;

import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import jdk.jfr.EventType;
import jdk.jfr.FlightRecorder;
import jdk.jfr.Recording;
import org.buftrail.agent.source.FlowSource;
import org.buftrail.agent.source.Since;
import org.buftrail.agent.watch.LeakFinder;
import org.buftrail.agent.watch.Watcher;
import org.buftrail.model.Figure;
import org.buftrail.model.FigureValues;
import org.buftrail.model.Misuse;
import org.buftrail.model.Path;
import org.buftrail.model.Snapshot;
import org.buftrail.model.Suspects;
import org.jspecify.annotations.Nullable;

/**
 * Commits events while a recording wants them.
 *
 * <p>Until somebody starts Flight Recorder, nothing of it is initialised: once a second a flag is
 * read. While no recording enables the events, no snapshot is taken.
 */
public final class FlowEvents implements Watcher {
  /** Paths in each round of {@code buftrail.LiveFlows}. */
  static final int MAX_LIVE = 50;

  /**
   * A recording that began no later than so long after the agent has everything since the agent's
   * start. One of {@code -XX:StartFlightRecording} begins before the application's first line, but
   * is noticed after it.
   */
  private static final long TOGETHER_MILLIS = 1_000;

  private final FlowSource source;
  private final Runnable settle;
  private final long startMillis;
  private @Nullable EventType leak;
  private @Nullable EventType doubleRelease;
  private @Nullable LeakFinder finder;
  private @Nullable Since misusesSince;

  /**
   * @param source where snapshots come from
   * @param settle decides about each flow what can be decided
   * @param startMillis when the agent began to follow flows, in milliseconds since the epoch
   */
  public FlowEvents(FlowSource source, Runnable settle, long startMillis) {
    this.source = source;
    this.settle = settle;
    this.startMillis = startMillis;
    // Loads the class, so that a JVM without Flight Recorder is noticed here.
    FlightRecorder.isInitialized();
  }

  /** Makes the events known once Flight Recorder runs. Costs a flag that is read until then. */
  public void follow() {
    if (leak == null && FlightRecorder.isInitialized()) {
      register();
    }
  }

  @Override
  public boolean isWanted() {
    follow();
    boolean leaks = leak != null && leak.isEnabled();
    boolean misuses = doubleRelease != null && doubleRelease.isEnabled();
    forget(!leaks, !misuses);
    return leaks || misuses;
  }

  private synchronized void forget(boolean leaks, boolean misuses) {
    finder = leaks ? null : finder;
    misusesSince = misuses ? null : misusesSince;
  }

  private void register() {
    FlightRecorder.register(LeakEvent.class);
    FlightRecorder.register(DoubleReleaseEvent.class);
    leak = EventType.getEventType(LeakEvent.class);
    doubleRelease = EventType.getEventType(DoubleReleaseEvent.class);
    if (isWanted()) {
      Snapshot now = source.sinceStart(FlowSource.FRESH_MILLIS);
      // Leaks found later are new, however soon the recording ends.
      look(isRecordedSinceStart() ? Snapshot.empty(startMillis) : now);
    }
    FlightRecorder.addPeriodicEvent(LeakEvent.class, () -> commitLast(this::commitLastLeaks));
    FlightRecorder.addPeriodicEvent(
        DoubleReleaseEvent.class, () -> commitLast(this::commitMisuses));
    FlightRecorder.addPeriodicEvent(LiveFlowsEvent.class, this::commitLive);
    FlightRecorder.addPeriodicEvent(
        FlowStatisticsEvent.class,
        () -> commitStatistics(source.sinceStart(FlowSource.FRESH_MILLIS)));
  }

  private boolean isRecordedSinceStart() {
    for (Recording recording : FlightRecorder.getFlightRecorder().getRecordings()) {
      Instant began = recording.getStartTime();
      if (began != null && began.toEpochMilli() <= startMillis + TOGETHER_MILLIS) {
        return true;
      }
    }
    return false;
  }

  @Override
  public void look(Snapshot now) {
    commitLeaks(now);
    commitMisuses(now);
  }

  /**
   * A chunk ends, and the recording perhaps with it, on a thread of Flight Recorder, which waits
   * for this: also when the JVM ends, whichever shutdown hook comes first.
   */
  private void commitLast(Consumer<Snapshot> commit) {
    settle.run();
    commit.accept(source.sinceStart(0));
  }

  private void commitLastLeaks(Snapshot now) {
    commitLeaks(now);
    commitStatistics(now);
  }

  private synchronized void commitLeaks(Snapshot now) {
    LeakFinder leaks = finder;
    if (leaks == null) {
      leaks = new LeakFinder();
      finder = leaks;
      // From the first totals of a recording to the last is what its leaks are a part of.
      commitStatistics(now);
    }
    for (LeakFinder.Growth growth : leaks.look(now)) {
      LeakEvent event = new LeakEvent();
      event.path = PathText.of(growth.path().hops());
      event.lastHop = PathText.last(growth.path().hops());
      event.count = growth.count();
      event.bytes = growth.bytes();
      event.age = age(growth.path(), now);
      event.direct = growth.path().isDirect();
      event.commit();
    }
  }

  private static long age(Path path, Snapshot now) {
    long first = path.firstSeenMillis();
    return first == Path.NEVER ? 0 : Math.max(0, now.takenAtMillis() - first);
  }

  private synchronized void commitMisuses(Snapshot now) {
    if (misusesSince != null) {
      for (Misuse misuse : misusesSince.misuses(now)) {
        DoubleReleaseEvent event = new DoubleReleaseEvent();
        event.kind = misuse.kind().text();
        event.place = misuse.site().toString();
        event.count = misuse.count();
        event.path = PathText.of(misuse.hops());
        event.earlierPath = misuse.earlier().isEmpty() ? null : PathText.of(misuse.earlier());
        event.commit();
      }
    }
    misusesSince = Since.misusesOf(now);
  }

  private void commitLive() {
    Snapshot now = source.sinceStart(FlowSource.FRESH_MILLIS);
    Set<Integer> suspects = new HashSet<>();
    for (Suspects.Suspect suspect : Suspects.of(now)) {
      suspects.add(suspect.index());
    }
    List<Integer> live = new ArrayList<>();
    for (int i = 0; i < now.paths().size(); i++) {
      if (now.paths().get(i).live().count() > 0) {
        live.add(i);
      }
    }
    live.sort(Comparator.comparingLong(i -> -now.paths().get(i).live().bytes()));
    Map<String, LiveFlowsEvent> events = new LinkedHashMap<>();
    for (int i : live.subList(0, Math.min(MAX_LIVE, live.size()))) {
      Path path = now.paths().get(i);
      String text = PathText.of(path.hops());
      LiveFlowsEvent event =
          events.computeIfAbsent(text + path.isDirect(), key -> new LiveFlowsEvent());
      event.path = text;
      add(path, suspects.contains(i), event);
    }
    events.values().forEach(LiveFlowsEvent::commit);
  }

  /** Paths that differ in reference counts alone read alike, and are one event. */
  private static void add(Path path, boolean suspect, LiveFlowsEvent event) {
    event.lastHop = PathText.last(path.hops());
    event.direct = path.isDirect();
    event.suspect |= suspect;
    event.oldest = Math.max(event.oldest, path.oldestMillis());
    if (path.live().count() > event.count) {
      event.median = path.medianMillis();
    }
    event.count += path.live().count();
    event.bytes += path.live().bytes();
  }

  private static void commitStatistics(Snapshot now) {
    FigureValues values = FigureValues.of(now);
    FlowStatisticsEvent event = new FlowStatisticsEvent();
    event.allocated = values.get(Figure.ALLOCATED);
    event.released = values.get(Figure.RELEASED);
    event.leaked = values.get(Figure.LEAKED);
    event.leakedBytes = values.get(Figure.LEAKED_BYTES);
    event.held = values.get(Figure.HELD);
    event.dropped = values.get(Figure.DROPPED);
    event.droppedBytes = values.get(Figure.DROPPED_BYTES);
    event.live = values.get(Figure.LIVE);
    event.liveBytes = values.get(Figure.LIVE_BYTES);
    event.liveDirectBytes = values.get(Figure.DIRECT_LIVE_BYTES);
    event.peakLiveBytes = values.get(Figure.PEAK_LIVE_BYTES);
    event.suspectPaths = values.get(Figure.SUSPECT_PATHS);
    event.misuses = values.get(Figure.MISUSES);
    event.overflowed = values.get(Figure.OVERFLOWED);
    event.sampling = (int) values.get(Figure.SAMPLING);
    event.commit();
  }
}
