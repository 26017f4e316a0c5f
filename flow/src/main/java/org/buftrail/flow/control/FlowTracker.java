package org.buftrail.flow.control;

import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.buftrail.flow.base.ServiceThread;
import org.buftrail.flow.base.ServiceThreads;
import org.buftrail.flow.base.Suppressed;
import org.buftrail.flow.base.TrackerLog;
import org.buftrail.flow.census.Census;
import org.buftrail.flow.census.LiveBuffers;
import org.buftrail.flow.census.LivePeak;
import org.buftrail.flow.census.Scale;
import org.buftrail.flow.census.TreePaths;
import org.buftrail.flow.state.BufferAccess;
import org.buftrail.flow.tree.Node;
import org.buftrail.flow.tree.NodeHops;
import org.buftrail.flow.tree.PathTree;
import org.buftrail.flow.woven.ExecutorScopes;
import org.buftrail.flow.woven.RuntimeWarmUp;
import org.buftrail.flow.woven.Tracker;
import org.buftrail.model.DirectMemory;
import org.buftrail.model.Path;
import org.buftrail.model.Snapshot;
import org.buftrail.model.TrackerStatus;
import org.jspecify.annotations.Nullable;

/**
 * The agent's side of the runtime: configure it, start it, ask it.
 *
 * <p>Thread-safe. Calls other than {@link #snapshot()} take effect for flows that start after them.
 */
public final class FlowTracker {
  /** The tracker of the JVM. */
  public static final FlowTracker INSTANCE = new FlowTracker(Tracker.INSTANCE);

  private static final long SWEEP_NANOS = 1_000_000_000;

  /** The least time between two looks at what was handed on. */
  private static final long RELIEF_MILLIS = 10;

  private final Tracker tracker;
  private final LivePeak peak;

  /** Read and written by the sweeper alone once it runs. */
  private long nextSweep = System.nanoTime() + SWEEP_NANOS;

  private volatile Scale scale = Scale.ALL;

  private volatile boolean finished;

  /** Whether the agent has what it weaves in place. Guarded by this. */
  private boolean started;

  public FlowTracker(Tracker tracker) {
    this.tracker = tracker;
    this.peak = new LivePeak(tracker.tree);
  }

  /** Bounds of the path tree, see {@link PathTree}. Before tracking starts. */
  public void setBounds(int maxNodes, int maxDepth, int maxChildren) {
    tracker.tree.setBounds(maxNodes, maxDepth, maxChildren);
  }

  /**
   * Which allocations are followed. While none is: what was counted before keeps its numbers, and
   * when the sampling changes, flows under way count as never begun.
   *
   * @param sampling 1 in so many; 1 for all
   * @param directOnly whether heap buffers are passed over
   */
  public synchronized void configure(int sampling, boolean directOnly) {
    scale = scale.changed(sampling, tracker.nursery);
    tracker.mode.configure(sampling, directOnly);
  }

  /**
   * Whether a buffer counts as leaked when it is collected unreleased though nothing is lost with
   * it: unpooled heap, and what wraps memory that Netty does not free.
   */
  public void setDropsAreLeaks(boolean leaks) {
    tracker.nursery.holdings.setDropsAreLeaks(leaks);
  }

  /** Says by which rules classes are woven: those of all snapshots from now on. */
  public void setHopRules(int rules) {
    tracker.mode.setHopRules(rules);
  }

  /**
   * Says whether calls that allocate the JDK's direct buffers are woven, until {@link
   * #forgetBufferAccess}.
   */
  public void setDirectBuffers(boolean woven) {
    tracker.directTable.setOn(woven);
  }

  /**
   * Has some allocations looked at for the nearest frame of the application, until {@link #stop}.
   *
   * @param isOwn tells its classes by their binary names; runs none of their code
   */
  public void setOwnClasses(Predicate<String> isOwn) {
    tracker.tree.looks.setOwn(isOwn);
  }

  /** A class is code of a test: what it misuses one after the other is several misuses. */
  public void addTestClass(String name) {
    tracker.scopes.addTestClass(name);
  }

  /** Follows buffers that have no place for a state, through a map. */
  public void addBufferAccess(BufferAccess foreign) {
    tracker.sideTable.add(foreign);
  }

  /**
   * Leaves a library alone that has loaded; status says so while there is no other.
   *
   * @param reason one line
   */
  public void refuseLibrary(String reason) {
    tracker.mode.refuseLibrary(reason);
  }

  /** Why the only library that has loaded is left alone; null where that is not so. */
  public @Nullable String refusal() {
    TrackerStatus.@Nullable Stop refusal = tracker.mode.refusal();
    return refusal == null ? null : refusal.reason();
  }

  /** A library has loaded that is followed. */
  public void knowLibrary() {
    tracker.mode.knowLibrary();
  }

  /** Whether some of these would be followed more exactly, had the agent come before. */
  public boolean areLessExact() {
    return tracker.sideTable.areLessExact();
  }

  /**
   * Runs once what woven code will run, so that the JDK links and initialises all that is behind
   * it. Before any class is woven, when all classes of the runtime are initialised.
   */
  public static void rehearse() {
    RuntimeWarmUp.run();
  }

  /** Where the tracker's own rare lines go. */
  public static void setLog(Consumer<String> log) {
    TrackerLog.setOut(log);
  }

  /**
   * Starts the thread that sweeps once a second, and lets {@link #setFollowing} switch.
   *
   * @param following whether new buffers are followed from now on
   */
  public synchronized void start(boolean following) {
    tracker.sweeper.start(new Sweeps());
    started = true;
    tracker.mode.follow(following, "not switched on yet");
  }

  /** Stops following new buffers for good; those under way are followed to their end. */
  public synchronized void stop() {
    started = false;
    tracker.mode.detach();
    tracker.tree.looks.setOwn(null);
  }

  /**
   * Switches between following new buffers and not. While they are not, woven code does nothing but
   * read one flag, and the buffers under way are still ended where they are released; what passes
   * on a view, in a holder or through the fallback map is not recorded.
   *
   * @throws IllegalStateException saying why it cannot be switched on
   */
  public synchronized void setFollowing(boolean following) {
    if (following && !started) {
      throw new IllegalStateException("the agent is detached; attach it again");
    }
    if (following && !tracker.mode.isAlive()) {
      throw new IllegalStateException("the tracker gave up after too many errors of its own");
    }
    tracker.mode.follow(following, "switched off");
  }

  /**
   * Switches off as {@link #setFollowing} does.
   *
   * @param reason what reports say, one line
   */
  public synchronized void stopFollowing(String reason) {
    tracker.mode.follow(false, reason);
  }

  /** Whether new buffers are followed. */
  public boolean isFollowing() {
    return tracker.mode.isStarting();
  }

  /**
   * Forgets buffers of {@link #addBufferAccess}, resources, and the flows of both, whose ends
   * nobody reports any more.
   */
  public void forgetBufferAccess() {
    tracker.sideTable.forgetBufferAccess();
    tracker.nursery.forgetSideTable();
    tracker.sideTable.clear();
    tracker.directTable.clear();
  }

  /** A class with a name, since what is linked when it is first needed may fail then. */
  private final class Sweeps implements ServiceThread.Work {
    @Override
    public ServiceThread.Outcome round() {
      long nanos = System.nanoTime();
      LockSupport.parkNanos(Math.min(nextSweep - nanos, peak.nanosToNext(nanos)));
      restAfterWake(nanos);
      try {
        lookForPeak();
        ServiceThread.Outcome outcome = sweep();
        Suppressed.tell();
        return outcome;
      } catch (Throwable e) {
        Suppressed.add(e);
        throw e;
      }
    }
  }

  /** Whoever wakes it often does not get a look each time. */
  private static void restAfterWake(long began) {
    long left = RELIEF_MILLIS - TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - began);
    if (left > 0) {
      try {
        Thread.sleep(left);
      } catch (InterruptedException e) {
        // By something that interrupts every thread it finds: it looks earlier.
      }
    }
  }

  private void lookForPeak() {
    if (peak.nanosToNext(System.nanoTime()) <= 0) {
      peak.look(tracker.nursery, scale.sampling);
    }
  }

  private ServiceThread.Outcome sweep() {
    if (System.nanoTime() - nextSweep < 0) {
      tracker.nursery.relieve();
      return ServiceThread.Outcome.NOTHING;
    }
    nextSweep = System.nanoTime() + SWEEP_NANOS;
    ExecutorScopes.expunge();
    tracker.scopes.expunge();
    tracker.directTable.expunge();
    tracker.pools.expunge();
    tracker.nursery.sweep(false);
    return ServiceThread.Outcome.DONE;
  }

  /**
   * Before the last snapshot: does what {@link #settle} does. What an earlier collection has
   * decided holds no longer, and snapshots say that they are of the end.
   */
  public void finish() {
    settle();
    synchronized (tracker.nursery) {
      tracker.nursery.collections.invalidate();
    }
    finished = true;
  }

  /** Decides without a collection what can be decided about each flow. */
  public void settle() {
    tracker.nursery.finish();
  }

  /**
   * Has the JVM collect the whole heap, so that it is decided about each flow that has begun by now
   * whether it is lost. The application stands still as long as its collector makes it.
   *
   * @param patienceMillis how long the collection is waited for; it goes on after that
   */
  public CollectionOutcome collect(long patienceMillis) {
    long until = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(patienceMillis);
    settle();
    return AskedCollection.run(tracker.nursery, until);
  }

  /**
   * Everything known now. Takes time in proportion to nodes and live flows, on the calling thread
   * alone. An application thread waits for a part of it, if it has no room left for its counts: see
   * {@code EndCounts}.
   */
  public Snapshot snapshot() {
    Suppressed.tell();
    Census census = Census.take(tracker.nursery);
    Scale now = scale;
    long nowMillis = System.currentTimeMillis();
    TreePaths paths = TreePaths.of(tracker.tree.all(), census, now, nowMillis);
    return new Snapshot(
            nowMillis,
            now.sampling,
            now.allocated(census),
            paths.overflowed(),
            status(census),
            paths,
            tracker.misuses.list())
        .withHopRules(tracker.mode.hopRules())
        .with(peak.peak());
  }

  /**
   * A path by its {@linkplain Path#number number}, without what happened there; null where there is
   * none.
   */
  public @Nullable Path path(int number) {
    Node node = tracker.tree.byId(number);
    Path.Flows none = Path.Flows.NONE;
    return node == null
        ? null
        : new Path(
            NodeHops.upTo(node), node.isDirect(), none, none, none, Path.NO_AGE, Path.NO_AGE);
  }

  /** The allocators that keep chunks and were made since the start, or noted. */
  public List<Object> pools() {
    return tracker.pools.keys();
  }

  /** Remembers an allocator that was made before the agent came, without keeping it alive. */
  public void notePool(Object allocator) {
    tracker.pools.put(allocator, Boolean.TRUE);
  }

  /** The buffers that are live now, to be asked where their memory lies. */
  public LiveBuffers liveBuffers() {
    return LiveBuffers.of(tracker.nursery);
  }

  /**
   * The application's calls that allocated direct buffers of the JDK, the one with most live bytes
   * first; null where none is woven.
   */
  public @Nullable List<DirectMemory.CallSite> directSites() {
    return tracker.directTable.sites();
  }

  private TrackerStatus status(Census census) {
    TrackerStatus.Builder status = new TrackerStatus.Builder();
    status.suppressedErrors(Suppressed.count());
    status.lostReleases(tracker.nursery.missedReleases());
    status.stop(tracker.mode.stopped());
    status.undecided(census.undecided(scale.sampling));
    status.atEnd(finished);
    UnwovenClasses.addTo(status);
    UnwatchedPackages.addTo(status);
    UnfollowedWrappers.addTo(status);
    ServiceThreads.restartDead();
    ServiceThreads.addTo(status);
    return status.build();
  }
}
