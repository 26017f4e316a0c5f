package org.buftrail.flow;

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
 * no suspect, nor is what waits for its turn. Stateless.
 */
public final class Suspects {
  static final long LEAST_LIVE = 20;
  static final long LEAST_MILLIS = 10_000;
  static final long GONE_IN = 100;

  /** Those that hold most are told. */
  private static final int MOST = 50;

  private Suspects() {}

  /** A path under suspicion, and why. Immutable. */
  public static final class Suspect {
    private final Path path;
    private final long gone;
    private final @Nullable Site sibling;

    private Suspect(Path path, long gone, @Nullable Site sibling) {
      this.path = path;
      this.gone = gone;
      this.sibling = sibling;
    }

    /** Where the live buffers are. */
    public Path path() {
      return path;
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
  }

  /** Most first. A class and no lambda, which the JDK would link at first use. */
  private static final class MostLiveBytes implements Comparator<Path> {
    @Override
    public int compare(Path one, Path other) {
      return Long.compare(other.live().bytes(), one.live().bytes());
    }
  }

  /** The suspects of a snapshot, the one with most live bytes first; {@value #MOST} at most. */
  public static List<Suspect> of(Snapshot snapshot) {
    List<Path> live = new ArrayList<>();
    for (Path path : snapshot.paths()) {
      if (isOldAndGrowing(path)) {
        live.add(path);
      }
    }
    live.sort(new MostLiveBytes());
    List<Suspect> suspects = new ArrayList<>();
    for (Path path : live.subList(0, Math.min(MOST, live.size()))) {
      long gone = 0;
      for (Path other : snapshot.paths()) {
        gone += isBeyond(other, path) ? other.flows() : 0;
      }
      if ((gone + path.released().count()) * GONE_IN < path.flows() + gone) {
        suspects.add(new Suspect(path, gone, sibling(snapshot, path)));
      }
    }
    return suspects;
  }

  private static boolean isOldAndGrowing(Path path) {
    return path.live().count() >= LEAST_LIVE
        && path.oldestMillis() >= LEAST_MILLIS
        && path.medianMillis() * 4 <= path.oldestMillis() * 3
        && !hasOverflow(path);
  }

  private static boolean hasOverflow(Path path) {
    for (Path.Hop hop : path.hops()) {
      if (hop.isOverflow()) {
        return true;
      }
    }
    return false;
  }

  private static boolean isBeyond(Path other, Path path) {
    return other.hops().size() > path.hops().size()
        && other.isDirect() == path.isDirect()
        && common(other, path) == path.hops().size();
  }

  /** How many hops two paths begin with together. */
  private static int common(Path one, Path other) {
    int most = Math.min(one.hops().size(), other.hops().size());
    int common = 0;
    while (common < most && one.hops().get(common).site().equals(other.hops().get(common).site())) {
      common++;
    }
    return common;
  }

  private static @Nullable Site sibling(Snapshot snapshot, Path path) {
    int before = path.hops().size() - 1;
    long most = 0;
    Site where = null;
    for (Path other : snapshot.paths()) {
      int hops = other.hops().size();
      if (other.released().count() > most && hops > before + 1 && common(other, path) == before) {
        most = other.released().count();
        // The last hop is the release itself.
        where = other.hops().get(hops - 2).site();
      }
    }
    return where;
  }
}
