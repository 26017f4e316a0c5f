package org.buftrail.model;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Paths that look like leaks before a collection has proved it.
 *
 * <p>The rule, all of one moment: {@value #LEAST_LIVE} or more live buffers were last seen at a
 * place; of {@value #GONE_IN} that came there, fewer than one has been released or gone on; the
 * oldest has been there for {@value #LEAST_MILLIS} ms or more; and they came one after the other,
 * since half of them are no older than three quarters of that. So a cache that was filled once is
 * no suspect, nor is what waits for its turn. Once the oldest has been there for {@value
 * #LONG_MILLIS} ms, it is enough that fewer than half have gone on: a method may release some and
 * lose others.
 *
 * <p>One that loses few of many looks like one that keeps some for long, and is distinguished by
 * how long the others live, of which some are sampled ({@link ReleaseSamples}): at least {@value
 * #LEAST_SAMPLES} of those that went on from there; the oldest live one is {@value #FACTOR} times
 * as old as any that was released was, and half of the live ones are {@value #MEDIAN_FACTOR} times
 * as old as 99 of 100; and others that came later than half of them have been released by now. What
 * waits for its turn is not overtaken. Paths of one hop are not judged so: nothing distinguishes
 * one use of an allocator from another there. Stateless.
 */
public final class Suspects {
  static final long LEAST_LIVE = 20;
  static final long LEAST_MILLIS = 10_000;
  static final long GONE_IN = 100;
  static final long LONG_MILLIS = 60_000;
  static final long LEAST_SAMPLES = 8;
  static final long FACTOR = 4;
  static final long MEDIAN_FACTOR = 10;

  /** So many are reported at most, those that hold most. */
  private static final int MOST = 50;

  /** So many paths are compared with all others. */
  private static final int MOST_LOOKED_AT = 100;

  private static final int INITIAL_DEPTH = 32;

  private Suspects() {}

  /** A path under suspicion, and why. Immutable. */
  public static final class Suspect {
    private final Path path;
    private final int index;
    private final long gone;
    private final @Nullable Site sibling;
    private final @Nullable ReleaseSamples others;

    private Suspect(Case one, @Nullable Site sibling) {
      this.path = one.path;
      this.index = one.index;
      this.gone = one.gone;
      this.others = one.others();
      this.sibling = sibling;
    }

    /** Where the live buffers are. */
    public Path path() {
      return path;
    }

    /** The index of that path in the list that was judged. */
    public int index() {
      return index;
    }

    /** How many buffers came there. */
    public long arrived() {
      return path.flows() + gone;
    }

    /** How many of these were released or went on, 0 or more. */
    public long gone() {
      return gone + path.released().count();
    }

    /** Where buffers that came as far as the hop before are released most often, or null. */
    public @Nullable Site sibling() {
      return sibling;
    }

    /**
     * How long others lived that came there too and were released, or, where none was sampled,
     * those that came as far as the hop before; null without samples.
     */
    public @Nullable ReleaseSamples others() {
      return others;
    }
  }

  /** Most first. A class and no lambda, which the JDK would link at first use. */
  private static final class MostLiveBytes implements Comparator<Case> {
    @Override
    public int compare(Case one, Case other) {
      return Long.compare(other.path.live().bytes(), one.path.live().bytes());
    }
  }

  /** Those of which none has been released are looked at first. */
  private static final class LikeliestFirst implements Comparator<Case> {
    private final MostLiveBytes bytes = new MostLiveBytes();

    @Override
    public int compare(Case one, Case other) {
      int stay = Boolean.compare(mostStay(other.path, 0), mostStay(one.path, 0));
      return stay != 0 ? stay : bytes.compare(one, other);
    }
  }

  /** The suspects of a snapshot, the one with most live bytes first; {@value #MOST} at most. */
  public static List<Suspect> of(Snapshot snapshot) {
    return of(snapshot.paths(), snapshot.sampling());
  }

  /**
   * The suspects among the paths of a snapshot, known by their index: a list may make its paths
   * anew each time that it is asked.
   *
   * <p>Numbers are judged first. Only where they speak against a path are places compared, in one
   * look at each of the others; hops are made only for what is reported.
   *
   * @param sampling N where 1 in N allocations was followed
   */
  public static List<Suspect> of(List<Path> paths, int sampling) {
    List<Case> old = new ArrayList<>();
    for (int i = 0; i < paths.size(); i++) {
      Path path = paths.get(i);
      if (isOldAndGrowing(path, sampling)) {
        old.add(new Case(path, i));
      }
    }
    if (old.isEmpty()) {
      return List.of();
    }
    old.sort(new LikeliestFirst());
    Places places = Places.of(paths);
    List<Case> cases = new ArrayList<>();
    for (Case one : old) {
      if (cases.size() < MOST_LOOKED_AT && !hasOverflow(one.path)) {
        one.sites = places.numbers(one.path);
        cases.add(one);
      }
    }
    compare(cases, paths, places);
    cases.sort(new MostLiveBytes());
    List<Suspect> suspects = new ArrayList<>();
    for (Case one : cases) {
      if (suspects.size() < MOST && (mostStay(one.path, one.gone) || one.outlive())) {
        suspects.add(new Suspect(one, places.site(one.sibling)));
      }
    }
    return suspects;
  }

  /** Tells each case of the paths that lead through it or past it. */
  private static void compare(List<Case> cases, List<Path> paths, Places places) {
    int[] sites = new int[INITIAL_DEPTH];
    for (int i = 0; i < paths.size(); i++) {
      int depth = places.depth(i);
      if (depth > sites.length) {
        sites = new int[depth * 2];
      }
      places.fill(i, sites);
      Path other = null;
      for (Case one : cases) {
        if (one.concerns(sites, depth)) {
          other = other == null ? paths.get(i) : other;
          one.hear(other, sites, depth);
        }
      }
    }
  }

  private static boolean hasOverflow(Path path) {
    for (Path.Hop hop : path.hops()) {
      if (hop.isOverflow()) {
        return true;
      }
    }
    return false;
  }

  /** Where 1 in N is followed, as many must have been seen: three do not show that they grow. */
  private static boolean isOldAndGrowing(Path path, int sampling) {
    long live = path.live().count();
    return live >= LEAST_LIVE
        && path.oldestMillis() >= LEAST_MILLIS
        && path.medianMillis() * 4 <= path.oldestMillis() * 3
        && (sampling == 1 || live >= LEAST_LIVE * sampling || path.resource() != null);
  }

  /**
   * @param beyond how many went on to other paths
   */
  private static boolean mostStay(Path path, long beyond) {
    long gone = beyond + path.released().count();
    long factor = path.oldestMillis() >= LONG_MILLIS ? 2 : GONE_IN;
    return gone * factor < path.flows() + beyond;
  }

  /** A path that the numbers speak against, while the others are looked at. */
  private static final class Case {
    final Path path;
    final int index;

    /** Empty until the others are looked at. */
    private int[] sites = {};

    long gone;
    private long mostReleased;
    int sibling = Places.NOWHERE;

    /** Statistics of flows that went on from here. */
    private @Nullable ReleaseSamples onward;

    /** Statistics of flows that went on from the previous hop by another way. */
    private @Nullable ReleaseSamples beside;

    Case(Path path, int index) {
      this.path = path;
      this.index = index;
    }

    /** Whether another path goes on from this one, or from the hop before. */
    boolean concerns(int[] other, int depth) {
      if (depth <= sites.length) {
        return false;
      }
      int common = Math.max(1, sites.length - 1);
      // Those that differ mostly do so at the end.
      for (int i = common - 1; i >= 0; i--) {
        if (other[i] != sites[i]) {
          return false;
        }
      }
      return true;
    }

    void hear(Path other, int[] its, int depth) {
      if (other.isDirect() != path.isDirect()) {
        return;
      }
      if (its[sites.length - 1] == sites[sites.length - 1]) {
        gone += other.flows();
        onward = sum(onward, other.samples());
      } else {
        beside = sum(beside, other.samples());
        if (other.released().count() > mostReleased) {
          mostReleased = other.released().count();
          // The last hop is the release itself.
          sibling = its[depth - 2];
        }
      }
    }

    private static @Nullable ReleaseSamples sum(
        @Nullable ReleaseSamples sum, @Nullable ReleaseSamples more) {
      return sum == null || more == null ? (sum == null ? more : sum) : sum.plus(more);
    }

    @Nullable ReleaseSamples others() {
      return onward != null ? onward : beside;
    }

    /** Whether the live ones are much older than what went on from here ever became. */
    boolean outlive() {
      ReleaseSamples others = onward;
      if (others == null || others.count() < LEAST_SAMPLES || sites.length < 2) {
        return false;
      }
      long p99 = others.microsOf(99) / 1_000;
      return path.oldestMillis() >= FACTOR * Math.max(p99, others.longestMillis())
          && path.medianMillis() >= MEDIAN_FACTOR * p99
          && others.youngestMillis() <= path.medianMillis();
    }
  }
}
