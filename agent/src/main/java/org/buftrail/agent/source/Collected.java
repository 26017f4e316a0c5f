package org.buftrail.agent.source;

import java.lang.ref.WeakReference;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.buftrail.model.Path;
import org.buftrail.model.Snapshot;
import org.buftrail.model.Suspects;

/**
 * What a collection that was asked for has proved: live flows that nobody refers to became leaks.
 * Immutable.
 */
public final class Collected {
  /** How long the tracker may take to find what was collected. */
  private static final long PATIENCE_MILLIS = 3_000;

  private static final long STEP_MILLIS = 250;

  private final boolean happened;
  private final Path.Flows leaked;
  private final int suspects;
  private final int proved;

  private Collected(boolean happened, Path.Flows leaked, int suspects, int proved) {
    this.happened = happened;
    this.leaked = leaked;
    this.suspects = suspects;
    this.proved = proved;
  }

  /**
   * Asks the JVM to collect, and waits for the looks at what was collected. Takes some seconds. The
   * application stands still as long as its collector makes it.
   */
  public static Collected now(FlowSource source) {
    Snapshot before = source.snapshot(0);
    WeakReference<Object> canary = new WeakReference<>(new Object());
    System.gc();
    Snapshot after = before;
    for (long waited = 0; waited < PATIENCE_MILLIS; waited += STEP_MILLIS) {
      Snapshot now = source.snapshot(0);
      boolean grew = now.leaked().count() > after.leaked().count();
      if (after.leaked().count() > before.leaked().count() && !grew) {
        break;
      }
      after = now;
      if (!pause()) {
        break;
      }
    }
    // With -XX:+DisableExplicitGC the JVM does nothing.
    return between(canary.get() == null, before, after);
  }

  /** What became of flows from one snapshot to the next. */
  static Collected between(boolean happened, Snapshot before, Snapshot after) {
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
    return new Collected(happened, leaked, suspects.size(), proved);
  }

  private static boolean pause() {
    try {
      Thread.sleep(STEP_MILLIS);
      return true;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return false;
    }
  }

  /** Whether the JVM did what it was asked for. */
  public boolean hasHappened() {
    return happened;
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

  /** What it proved, or why it proved nothing, in one line. */
  public String text() {
    if (!happened) {
      return "the JVM did not collect, so nothing is proved; it does not when started with"
          + " -XX:+DisableExplicitGC or -XX:+UseEpsilonGC";
    }
    String found =
        leaked.count() == 0
            ? "the JVM collected, and no more flows leaked"
            : "the JVM collected: " + leaked.count() + " more leaked, " + leaked.bytes() + " bytes";
    if (suspects == 0) {
      return found;
    }
    return found
        + "; suspect paths that are leaks now: "
        + proved
        + " of "
        + suspects
        + (proved < suspects ? "; what is live on the others is still referred to" : "");
  }
}
