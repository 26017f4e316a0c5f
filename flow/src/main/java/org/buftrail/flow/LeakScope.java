package org.buftrail.flow;

import java.util.ArrayList;
import java.util.List;
import org.buftrail.flow.census.Census;
import org.buftrail.flow.census.Scale;
import org.buftrail.flow.census.ScopeLeftovers;
import org.buftrail.flow.census.TreePaths;
import org.buftrail.flow.scope.Meter;
import org.buftrail.flow.scope.Scope;
import org.buftrail.flow.scope.Stay;
import org.buftrail.flow.woven.ExecutorScopes;
import org.buftrail.flow.woven.Tracker;
import org.buftrail.model.Leftover;
import org.buftrail.model.Misuse;
import org.buftrail.model.Path;
import org.buftrail.model.ScopeUse;
import org.jspecify.annotations.Nullable;

/**
 * A stretch of work after which nothing of what it allocated may be left: a test, a request of a
 * load test, an iteration of a benchmark.
 *
 * <pre>
 *   try (LeakScope scope = LeakScope.open("put")) {
 *     put();
 *     assertTrue(scope.leftovers().isEmpty());
 *   }
 * </pre>
 *
 * <p>What a thread allocates, or opens where resources are followed, belongs to the innermost open
 * scope that the thread is in. Threads inherit the scope in which they are made, and a task that is
 * handed to an executor, event loop or timer brings along that of the thread which hands it over.
 * What is in a scope which was closed meanwhile is in the next one around it. Without the agent,
 * and while it is switched off, scopes have no leftovers: {@link #tracking()} says so.
 *
 * <p>Thread-safe. The lock of a scope is taken before the nursery's. {@link #leftovers()} forces no
 * collection; it looks at what is live, which takes some microseconds for each thread and each
 * thousand live buffers. An open scope costs an allocation some nanoseconds, and nothing when no
 * scope is open anywhere. A closed one leaves nothing behind.
 */
public final class LeakScope implements AutoCloseable {
  private static final Tracker TRACKER = Tracker.INSTANCE;

  private final Inner inner;
  private final @Nullable LeakScope parent;

  /** The leftovers at the time it was closed. Guarded by this. */
  private List<Leftover> last = List.of();

  /** While a thread is in a scope that it has entered. To be closed by that thread. */
  public interface Entered extends AutoCloseable {
    /** Lets the thread allocate where it did before. */
    @Override
    void close();
  }

  private static final class Visit implements Entered {
    private final @Nullable Stay before;

    Visit(@Nullable Stay before) {
      this.before = before;
    }

    @Override
    public void close() {
      TRACKER.scopes.leave(before);
    }
  }

  /** The runtime's side of the scope; separate, so that applications do not see its methods. */
  private static final class Inner extends Scope {
    final LeakScope leakScope;

    Inner(LeakScope leakScope, String name, @Nullable LeakScope parent, @Nullable Meter meter) {
      super(TRACKER.tree, name, parent == null ? null : parent.inner, meter);
      this.leakScope = leakScope;
    }
  }

  private LeakScope(String name, @Nullable LeakScope parent, @Nullable Meter meter) {
    this.inner = new Inner(this, name, parent, meter);
    this.parent = parent;
  }

  /**
   * Opens a scope within the one that the calling thread is in, and has that thread allocate in it
   * until it is closed.
   *
   * @param name what failures call it
   */
  public static LeakScope open(String name) {
    LeakScope scope = open(name, current());
    TRACKER.scopes.enter(scope.inner);
    return scope;
  }

  /**
   * Opens a scope that no thread is in before it enters.
   *
   * @param name what failures call it
   * @param parent the scope around it, or null
   */
  public static LeakScope open(String name, @Nullable LeakScope parent) {
    return open(name, parent, null);
  }

  /**
   * Opens a scope that counts exactly what is allocated in it and in scopes within, for {@link
   * #use()}. That costs each of its buffers a lock, beside what any scope does. No thread is in it
   * before it enters.
   *
   * @param name what failures call it
   * @param parent the scope around it, or null
   * @param maxCount of how many allocations the stack of the one after is kept; {@link
   *     Long#MAX_VALUE} for none
   * @param maxPeakBytes of how many live bytes the stack of the allocation past them is kept;
   *     {@link Long#MAX_VALUE} for none
   * @throws IllegalStateException if the agent does not follow each buffer
   */
  public static LeakScope openMetered(
      String name, @Nullable LeakScope parent, long maxCount, long maxPeakBytes) {
    if (TRACKER.mode.isDirectOnly() || TRACKER.mode.sampling() > 1) {
      throw new IllegalStateException(
          "nothing is counted exactly: " + String.join("; ", tracking().gaps()));
    }
    return open(name, parent, new Meter(maxCount, maxPeakBytes));
  }

  private static LeakScope open(String name, @Nullable LeakScope parent, @Nullable Meter meter) {
    ExecutorScopes.prepare();
    LeakScope scope = new LeakScope(name, parent, meter);
    TRACKER.scopes.opened(scope.inner);
    return scope;
  }

  /** The innermost open scope that the calling thread is in, or null. */
  public static @Nullable LeakScope current() {
    Scope current = TRACKER.scopes.current();
    return current == null ? null : ((Inner) current).leakScope;
  }

  /**
   * The paths of all flows of the JVM so far, whatever scope they belong to, with what was released
   * on each. Looks at all that is live and at the whole tree of paths.
   */
  public static List<Path> paths() {
    Census census = Census.take(TRACKER.nursery);
    return TreePaths.of(TRACKER.tree.all(), census, Scale.ALL, System.currentTimeMillis());
  }

  /** What scopes can report in this JVM. */
  public static ScopeTracking tracking() {
    return ScopeTracking.now();
  }

  /** The name that it was opened with. */
  public String name() {
    return inner.name();
  }

  /** The scope around it, or null. */
  public @Nullable LeakScope parent() {
    return parent;
  }

  /** Whether the scope is open. */
  public boolean isOpen() {
    return inner.isOpen();
  }

  /**
   * Has the calling thread allocate in this scope, until the answer is closed by the same thread.
   */
  public Entered enter() {
    return new Visit(TRACKER.scopes.enter(inner));
  }

  /**
   * Has it own, until it is closed, what threads allocate that are in no scope within or beside it:
   * threads of executors that are older, or that never were in a scope. For what runs alone, such
   * as tests one after the other. Where two scopes claim side by side, the one around both owns it.
   */
  public void claim() {
    TRACKER.scopes.claim(inner);
  }

  /** Has it own what the scope around it claims, if that is the one which does. */
  public void claimAsParent() {
    TRACKER.scopes.claimAsParent(inner);
  }

  /**
   * Whether an executor or event loop has a task that a thread in this scope handed over, and that
   * has not ended. A task that was dropped counts until the scope is closed; tasks of timers do
   * not.
   */
  public boolean hasTasks() {
    return inner.hasTasks();
  }

  /**
   * Whether a timer was given a task by a thread in this scope, or in one within, that may still
   * run. One that cannot say that it is done, as those of {@code java.util.Timer}, or fails as it
   * is asked, counts until it is collected.
   */
  public boolean hasTimers() {
    return TRACKER.scopes.hasTimers(inner);
  }

  /**
   * Returns what was allocated here, or in a scope within this one that was handed over, and is
   * neither released nor closed. For a closed scope, returns what was there when it closed.
   *
   * @return by path, those with most bytes first
   */
  public synchronized List<Leftover> leftovers() {
    return inner.isOpen() ? look(false) : last;
  }

  /**
   * What was counted here until now, or until it was closed.
   *
   * @throws IllegalStateException if it was not opened by {@link #openMetered}
   */
  public ScopeUse use() {
    Meter meter = inner.meter;
    if (meter == null) {
      throw new IllegalStateException(name() + " was not opened with openMetered");
    }
    return meter.use();
  }

  /**
   * What threads in this scope did to buffers that were released already, unless its exception
   * reached code of a test, as when a test asserts that a second release throws. In no order.
   */
  public List<Misuse> misuses() {
    return inner.misuses();
  }

  /**
   * Says by what the work in here failed. A misuse whose exception that is, or is a cause of it,
   * counts among {@link #misuses()} although code of a test caught it; so does one by which a
   * future failed that the test asked only whether it did.
   */
  public void failedBy(Throwable failure) {
    TRACKER.scopes.setCaught(failure, false);
    inner.failed();
  }

  /**
   * Ends the scope. Live buffers are reported once and for all by {@link #leftovers()}; no outer
   * scope has it. Safe to repeat, by any thread.
   */
  @Override
  public void close() {
    end(true);
  }

  /**
   * Ends the scope, and hands what is live to the one around it, whose leftovers it is from now on.
   * Safe to repeat, by any thread.
   */
  public void handOver() {
    end(false);
  }

  private synchronized void end(boolean isTold) {
    if (!inner.isOpen()) {
      return;
    }
    inner.close();
    try {
      last = look(isTold);
    } finally {
      leave(isTold);
    }
  }

  /** Runs even if the look failed: else each allocation would ask for open scopes for good. */
  private void leave(boolean isTold) {
    // The sweeper adds to what was collected until the scope is closed, under the same monitor.
    synchronized (TRACKER.nursery) {
      if (inner.wasUsed()) {
        inner.transfer(!isTold);
      }
      TRACKER.scopes.closed(inner, !isTold && !last.isEmpty());
    }
    inner.forgetRoots();
  }

  private List<Leftover> look(boolean isTold) {
    if (!inner.wasUsed()) {
      return List.of();
    }
    ScopeLeftovers look = new ScopeLeftovers(TRACKER.nursery, TRACKER.scopes, inner, isTold);
    synchronized (TRACKER.nursery) {
      TRACKER.nursery.show(look);
      look.found.addAll(inner.collected);
    }
    return look.found.list(TRACKER.scopes);
  }

  /** The names of this scope and those around it, outermost first. */
  @Override
  public String toString() {
    List<String> names = new ArrayList<>();
    for (LeakScope at = this; at != null; at = at.parent) {
      names.add(0, at.name());
    }
    return String.join(" > ", names);
  }
}
