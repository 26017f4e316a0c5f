package org.buftrail.flow;

import java.util.ArrayList;
import java.util.List;
import org.buftrail.flow.woven.Tracker;
import org.buftrail.model.TrackerStatus;

/** What {@link LeakScope}s can report in this JVM. Immutable. */
public final class ScopeTracking {
  /** Whether they can report anything. */
  public enum State {
    /** The agent is not in this JVM, or was attached after this class had been loaded. */
    ABSENT,
    /** The agent is there and follows nothing now. */
    OFF,
    /** Allocations are followed. */
    ON
  }

  private final State state;
  private final String text;
  private final List<String> gaps;
  private final int hopRules = Tracker.INSTANCE.mode.hopRules();

  private ScopeTracking(State state, String text, List<String> gaps) {
    this.state = state;
    this.text = text;
    this.gaps = List.copyOf(gaps);
  }

  static ScopeTracking now() {
    TrackerStatus.Stop stop = Tracker.INSTANCE.mode.stopped();
    if (stop == null && Tracker.INSTANCE.mode.isOn()) {
      return new ScopeTracking(State.ON, "what is allocated is followed", findGaps());
    }
    if (stop != null) {
      return new ScopeTracking(State.OFF, "nothing is followed: " + stop.reason(), List.of());
    }
    return new ScopeTracking(
        State.ABSENT,
        "nothing is followed: the agent is not in this JVM, or came after the first use of a scope",
        List.of());
  }

  private static List<String> findGaps() {
    List<String> gaps = new ArrayList<>();
    int sampling = Tracker.INSTANCE.mode.sampling();
    if (sampling > 1) {
      gaps.add("only 1 in " + sampling + " buffers is followed");
    }
    if (Tracker.INSTANCE.mode.isDirectOnly()) {
      gaps.add("buffers in the heap are not followed");
    }
    if (Tracker.INSTANCE.sideTable.areLessExact()) {
      gaps.add("Netty was loaded before the agent: buffers of before are not followed");
    }
    return gaps;
  }

  /** Whether scopes can report anything. */
  public State state() {
    return state;
  }

  /** One line for people. */
  public String text() {
    return text;
  }

  /** Which leftovers cannot be reported though the state is {@link State#ON}, a line each. */
  public List<String> gaps() {
    return gaps;
  }

  /** By which rules hops are made: the {@code hopRules} of snapshots. */
  public int hopRules() {
    return hopRules;
  }

  @Override
  public String toString() {
    return gaps.isEmpty() ? text : text + "; " + String.join("; ", gaps);
  }
}
