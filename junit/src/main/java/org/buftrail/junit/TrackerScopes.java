package org.buftrail.junit;

import java.util.ArrayList;
import java.util.List;
import org.buftrail.flow.LeakScope;
import org.buftrail.model.Leftover;
import org.buftrail.model.Misuse;
import org.buftrail.model.Path;
import org.buftrail.model.ScopeUse;
import org.jspecify.annotations.Nullable;

/** The scopes of the agent in this JVM. Not to be loaded before the agent is there. */
final class TrackerScopes implements Scopes {
  @Override
  public Scope open(String name, @Nullable Scope parent, @Nullable Budget budget) {
    LeakScope around = parent == null ? null : ((TrackerScope) parent).scope;
    return new TrackerScope(
        budget == null
            ? LeakScope.open(name, around)
            : LeakScope.openMetered(name, around, budget.allocated, budget.peakBytes));
  }

  @Override
  public Scope openHere() {
    LeakScope here = LeakScope.current();
    // What is left open is called as the test's own.
    String name = here == null ? "during" : here.name();
    LeakScope scope = LeakScope.openMetered(name, here, Budget.UNLIMITED, Budget.UNLIMITED);
    scope.claimAsParent();
    return new TrackerScope(scope);
  }

  private static final class TrackerScope implements Scope {
    final LeakScope scope;

    /** Numbers go up, from those of a thread that never starts. */
    private final long firstThread = new Thread(null, null, "buftrail", 0, false).getId();

    private volatile boolean isClaiming;

    TrackerScope(LeakScope scope) {
      this.scope = scope;
    }

    @Override
    public String name() {
      return scope.name();
    }

    @Override
    public Entered enter() {
      return scope.enter()::close;
    }

    @Override
    public void claim() {
      scope.claim();
      isClaiming = true;
    }

    @Override
    public boolean isClaiming() {
      return isClaiming;
    }

    @Override
    public boolean hasTasks() {
      return scope.hasTasks();
    }

    @Override
    public boolean hasTimers() {
      return scope.hasTimers();
    }

    @Override
    public long firstThread() {
      return firstThread;
    }

    @Override
    public List<Leak> leaks() {
      List<Leak> leaks = new ArrayList<>();
      for (Leftover leftover : scope.leftovers()) {
        leaks.add(leak(leftover));
      }
      return leaks;
    }

    @Override
    public List<Path> paths() {
      return LeakScope.paths();
    }

    private static Leak leak(Leftover leftover) {
      Path path =
          new Path(
                  leftover.hops(),
                  leftover.memory() == Leftover.Memory.DIRECT,
                  Path.Flows.NONE,
                  Path.Flows.NONE,
                  new Path.Flows(leftover.count() - leftover.parts(), leftover.bytes()),
                  leftover.oldestMillis(),
                  leftover.youngestMillis())
              .with(Path.Flows.NONE, leftover.parts())
              .with(leftover.evidence());
      return new Leak(leftover.scope(), path, leftover.needsRelease(), null);
    }

    @Override
    public ScopeUse use() {
      return scope.use();
    }

    @Override
    public List<Misuse> misuses() {
      return scope.misuses();
    }

    @Override
    public void failedBy(Throwable failure) {
      scope.failedBy(failure);
    }

    @Override
    public void close() {
      scope.close();
    }

    @Override
    public void handOver() {
      scope.handOver();
    }
  }
}
