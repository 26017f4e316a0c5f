package org.buftrail.agent.source;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import org.buftrail.flow.control.CollectionOutcome;
import org.buftrail.flow.control.FlowTracker;
import org.buftrail.model.Path;
import org.buftrail.model.PathKey;
import org.buftrail.model.Snapshot;
import org.buftrail.model.Suspects;

/**
 * The findings of a requested collection: live flows that nothing refers to became leaks.
 * Immutable.
 */
public final class Collected {
  private final CollectionOutcome outcome;
  private final Path.Flows leaked;
  private final int suspects;
  private final int proved;
  private final long undecided;

  private Collected(
      CollectionOutcome outcome, Path.Flows leaked, int suspects, int proved, long undecided) {
    this.outcome = outcome;
    this.leaked = leaked;
    this.suspects = suspects;
    this.proved = proved;
    this.undecided = undecided;
  }

  /**
   * Asks the JVM to collect, after all that is live has been let go of, and waits for the end. The
   * application stands still as long as its collector makes it.
   *
   * @param patienceMillis how long the collection is waited for
   */
  public static Collected now(FlowSource source, long patienceMillis) {
    return now(source, () -> FlowTracker.INSTANCE.collect(patienceMillis));
  }

  static Collected now(FlowSource source, Supplier<CollectionOutcome> collect) {
    Snapshot before = source.snapshot(0);
    CollectionOutcome outcome = collect.get();
    return between(outcome, before, source.snapshot(0));
  }

  /** What became of flows from one snapshot to the next. */
  static Collected between(CollectionOutcome outcome, Snapshot before, Snapshot after) {
    List<Suspects.Suspect> suspects = Suspects.of(before);
    int proved = 0;
    if (!suspects.isEmpty()) {
      Map<PathKey, Path> then = new HashMap<>();
      for (Path path : after.paths()) {
        then.put(new PathKey(path), path);
      }
      for (Suspects.Suspect suspect : suspects) {
        Path path = then.get(new PathKey(suspect.path()));
        boolean more = path != null && path.leaked().count() > suspect.path().leaked().count();
        proved += more ? 1 : 0;
      }
    }
    Path.Flows leaked =
        new Path.Flows(
            Math.max(0, after.leaked().count() - before.leaked().count()),
            Math.max(0, after.leaked().bytes() - before.leaked().bytes()));
    long undecided = after.status().undecided();
    return new Collected(outcome, leaked, suspects.size(), proved, undecided);
  }

  /** Whether the JVM did what it was asked for. */
  public boolean hasHappened() {
    return outcome == CollectionOutcome.ENDED;
  }

  /** What leaked meanwhile. */
  public Path.Flows leaked() {
    return leaked;
  }

  /** How many paths were suspect before. */
  public int suspects() {
    return suspects;
  }

  /** On how many of these something leaked. */
  public int proved() {
    return proved;
  }

  /** How many live flows nothing is known about: they are too young, or all where it failed. */
  public long undecided() {
    return undecided;
  }

  /** Describes in one line what the collection proved, or why it proved nothing. */
  public String text() {
    if (outcome == CollectionOutcome.REFUSED) {
      return "the JVM did not collect, so nothing is proved, and "
          + undecided(undecided)
          + "; it does not when started with -XX:+DisableExplicitGC or -XX:+UseEpsilonGC";
    }
    if (outcome == CollectionOutcome.UNDER_WAY) {
      return "the JVM is collecting still, so nothing is proved yet, and "
          + undecided(undecided)
          + "; look again later";
    }
    String found =
        leaked.count() == 0
            ? "the JVM collected, and no more flows leaked"
            : "the JVM collected: " + leaked.count() + " more leaked, " + leaked.bytes() + " bytes";
    if (undecided > 0) {
      found += "; " + undecided(undecided) + ": too young for it";
    }
    return suspects == 0 ? found : found + suspectsText();
  }

  /** The number of flows that no collection decided. */
  public static String undecided(long undecided) {
    return undecided == 1 ? "1 live flow is undecided" : undecided + " live flows are undecided";
  }

  private String suspectsText() {
    return "; suspect paths that are leaks now: "
        + proved
        + " of "
        + suspects
        + (proved < suspects ? "; what is live on the others is still referred to" : "");
  }
}
