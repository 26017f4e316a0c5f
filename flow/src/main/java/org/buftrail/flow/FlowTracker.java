package org.buftrail.flow;

import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The agent's side of the runtime: configure it, start it, ask it.
 *
 * <p>Thread-safe. Calls other than {@link #snapshot()} take effect for flows that start after them.
 */
public final class FlowTracker {
  private static final long SWEEP_NANOS = 1_000_000_000;
  private static final String[] REFS = {"0", "1-2", "3-5", "6+"};

  private static volatile Consumer<String> log = line -> {};

  /** The least time between two looks at what was handed on. */
  private static final long RELIEF_MILLIS = 10;

  private static volatile @Nullable Thread sweeper;

  /** Whether the agent has what it weaves in place. Guarded by the class. */
  private static boolean started;

  private FlowTracker() {}

  /** Bounds of the trie, see {@link Trie}. Before tracking starts. */
  public static void setBounds(int maxNodes, int maxDepth, int maxChildren) {
    Trie.INSTANCE.setBounds(maxNodes, maxDepth, maxChildren);
  }

  /**
   * Which allocations are followed.
   *
   * @param sampling 1 in so many; 1 for all
   * @param directOnly whether heap buffers are passed over
   */
  public static void configure(int sampling, boolean directOnly) {
    Flows.configure(sampling, directOnly);
  }

  /** Follows buffers of a Netty that was loaded already, through a map instead of their state. */
  public static void addForeign(Foreign foreign) {
    Fosters.add(foreign);
  }

  /** Where the tracker's own rare lines go. */
  public static void setLog(Consumer<String> log) {
    FlowTracker.log = log;
  }

  static void log(String line) {
    log.accept(line);
  }

  /**
   * Starts the thread that sweeps once a second, and lets {@link #setFollowing} switch.
   *
   * @param following whether new buffers are followed from now on
   */
  public static synchronized void start(boolean following) {
    if (sweeper == null) {
      Thread thread = new Thread(null, FlowTracker::sweepForEver, "buftrail-sweeper", 0, false);
      thread.setDaemon(true);
      thread.setContextClassLoader(null);
      thread.start();
      sweeper = thread;
    }
    started = true;
    Flows.setStarting(following && Flows.isAlive());
  }

  /** Stops following new buffers for good; those under way are followed to their end. */
  public static synchronized void stop() {
    started = false;
    Flows.setStarting(false);
  }

  /**
   * Switches between following new buffers and not. While they are not, woven code does nothing but
   * read one flag, and the buffers under way are still ended where they are released; what passes
   * on a view, in a holder or through the fallback map is not recorded.
   *
   * @throws IllegalStateException saying why it cannot be switched on
   */
  public static synchronized void setFollowing(boolean following) {
    if (following && !started) {
      throw new IllegalStateException("the agent is detached; attach it again");
    }
    if (following && !Flows.isAlive()) {
      throw new IllegalStateException("the tracker gave up after too many errors of its own");
    }
    Flows.setStarting(following);
  }

  /** Whether new buffers are followed. */
  public static boolean isFollowing() {
    return Flows.isStarting();
  }

  /** Forgets the flows of buffers of {@link #addForeign}, whose releases are no longer told of. */
  public static void forgetForeign() {
    Nursery.INSTANCE.forgetFosters();
  }

  /** Has what was handed on looked at soon. */
  static void wakeSweeper() {
    LockSupport.unpark(sweeper);
  }

  private static void sweepForEver() {
    long next = System.nanoTime() + SWEEP_NANOS;
    while (true) {
      try {
        Thread.sleep(RELIEF_MILLIS);
        LockSupport.parkNanos(next - System.nanoTime());
        if (System.nanoTime() - next >= 0) {
          next = System.nanoTime() + SWEEP_NANOS;
          Nursery.INSTANCE.sweep(false);
          EarlierLives.rest();
        } else {
          Nursery.INSTANCE.relieve();
        }
      } catch (InterruptedException e) {
        // By something that interrupts every thread it finds. Nobody else would find the leaks.
      } catch (Throwable e) {
        Suppressed.add(e);
      }
    }
  }

  /**
   * Everything known now. Takes time in proportion to nodes and live flows, on the calling thread
   * alone; application threads do not wait for it.
   */
  public static Snapshot snapshot() {
    Census census = Nursery.INSTANCE.census();
    int scale = Flows.sampling();
    Map<Long, Path.Hop> hops = new HashMap<>();
    List<Path> paths = new ArrayList<>();
    long overflowed = 0;
    for (Node node : Trie.INSTANCE.all()) {
      Path path = path(node, census, scale, hops);
      if (path != null) {
        paths.add(path);
        if (overflows(node)) {
          overflowed += path.released().count() + path.leaked().count() + path.live().count();
        }
      }
    }
    return new Snapshot(
        System.currentTimeMillis(),
        scale,
        allocated(census, scale),
        overflowed,
        Suppressed.count(),
        paths,
        Misuses.list(node -> stations(node, hops)));
  }

  private static long allocated(Census census, int scale) {
    long resources = Resources.opened();
    return (census.allocated - resources) * scale + resources - Resources.forgotten();
  }

  private static @Nullable Path path(
      Node node, Census census, int sampling, Map<Long, Path.Hop> hops) {
    int scale = node.isResource() ? 1 : sampling;
    Path.Flows released = flows(census.released, node.id, scale);
    Path.Flows leaked = flows(census.leaks.counters, node.id, scale);
    Census.Ages ages = census.liveAt(node.id);
    if (released.count() == 0 && leaked.count() == 0 && ages == null) {
      return null;
    }
    return new Path(
        stations(node, hops),
        node.isDirect(),
        released,
        leaked,
        ages == null
            ? Path.Flows.NONE
            : new Path.Flows(ages.count() * (long) scale, ages.bytes * scale),
        ages == null ? Path.NO_AGE : ages.oldestMillis(),
        ages == null ? Path.NO_AGE : ages.medianMillis(),
        census.leaks.firstSeenMillis(node),
        census.leaks.lastSeenMillis(node));
  }

  private static List<Path.Hop> stations(Node node, Map<Long, Path.Hop> hops) {
    List<Path.Hop> stations = new ArrayList<>(node.depth);
    for (Node n = node; n != null; n = n.parent) {
      stations.add(hop(n, hops));
    }
    Collections.reverse(stations);
    return stations;
  }

  private static Path.Flows flows(Counters counters, int node, int scale) {
    long count = counters.count(node);
    return count == 0
        ? Path.Flows.NONE
        : new Path.Flows(count * scale, counters.bytes(node) * scale);
  }

  private static Path.Hop hop(Node node, Map<Long, Path.Hop> hops) {
    long identity = (long) node.key << 2 | (node.isLooped() ? 2 : 0) | (node.isOverflow() ? 1 : 0);
    return hops.computeIfAbsent(
        identity,
        k ->
            new Path.Hop(
                Sites.get(node.site()), REFS[node.bucket()], node.isLooped(), node.isOverflow()));
  }

  private static boolean overflows(Node node) {
    return node.isOverflow() || (node.isEnd() && node.parent != null && node.parent.isOverflow());
  }
}
