package org.buftrail.flow.scope;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.WeakHashMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.buftrail.flow.base.ForceInline;
import org.buftrail.flow.base.Stable;
import org.buftrail.flow.base.TrackingMode;
import org.buftrail.flow.state.FlowState;
import org.buftrail.flow.state.TenuredFlow;
import org.buftrail.flow.state.TrackedBuffer;
import org.buftrail.flow.tree.MisuseCounts;
import org.buftrail.flow.tree.Node;
import org.jspecify.annotations.Nullable;

/**
 * Which scope a thread is in, and whose a flow is.
 *
 * <p>The path of a flow leads up to the tops of the scopes in which it began; it is the leftover of
 * the innermost that is open.
 *
 * <p>A thread is in the scope that it entered, inherited or brought along with a task. If that is
 * closed, its work is of the scope around. What any other thread does, such as one of an executor
 * that was made further out, belongs to the scope that {@linkplain #claim claims} it.
 */
public final class Scopes {
  @SuppressWarnings("ThreadLocalUsage") // as few as there are trackers
  private final InheritableThreadLocal<Stay> stays = new Inherited(this);

  private final HandedTasks tasks = new HandedTasks();

  @Stable private final TrackingMode mode;

  private final ThrownMisuses thrown = new ThrownMisuses();

  /** How many are open. Guarded by {@link #byTop}. */
  private int open;

  /** Scopes that are open, and those that were handed over and have something live. */
  private final Map<Node, Known> byTop = new WeakHashMap<>();

  /** Those of open scopes, by their tops. */
  private final Map<Node, Meter> meters = new ConcurrentHashMap<>();

  /** Scopes that are open and claim. Guarded by {@link #byTop}. */
  private final List<Scope> claiming = new ArrayList<>();

  /** The innermost one that claims and is beside no other that does. */
  private volatile @Nullable Scope claimant;

  /** Changes with whatever says which scope a thread is in, of any thread. */
  private final AtomicInteger version = new AtomicInteger();

  /** Whether any open one has a meter. A thread may see it late only if it is in no scope. */
  private boolean metered;

  /** A thread that is made does work of the scope that its maker is in. */
  private static final class Inherited extends InheritableThreadLocal<Stay> {
    private final Scopes scopes;

    Inherited(Scopes scopes) {
      this.scopes = scopes;
    }

    @Override
    protected @Nullable Stay childValue(@Nullable Stay ofMaker) {
      return scopes.stay(ofMaker);
    }
  }

  /** Does not lead to the top, its key, when the scope is closed. */
  private static final class Known {
    final String name;

    /** Null when it is closed. */
    @Nullable Scope open;

    Known(Scope scope) {
      this.name = scope.name();
      this.open = scope;
    }
  }

  public Scopes(TrackingMode mode) {
    this.mode = mode;
  }

  public void opened(Scope scope) {
    synchronized (byTop) {
      byTop.put(scope.top, new Known(scope));
      if (scope.meter != null) {
        meters.put(scope.top, scope.meter);
        metered = true;
      }
      open++;
      mode.setScoped(true);
      version.incrementAndGet();
    }
  }

  /**
   * The calling thread, if it is in the scope, goes to the one around it now, others later.
   *
   * @param named whether its name is asked for still
   */
  public void closed(Scope scope, boolean named) {
    synchronized (byTop) {
      Known known = named ? byTop.get(scope.top) : byTop.remove(scope.top);
      if (known != null) {
        known.open = null;
      }
      meters.remove(scope.top);
      metered = !meters.isEmpty();
      open--;
      mode.setScoped(open > 0);
      if (claiming.remove(scope)) {
        claimant = findClaimant();
      }
      version.incrementAndGet();
    }
    Stay stay = stays.get();
    if (stay != null && stay.scope == scope) {
      leave(stay.outside());
    }
  }

  /**
   * Has a scope own, until it is closed, what threads do that are in no other scope beside it or
   * within. Where several claim, none of them within the other, it is the one around them.
   */
  public void claim(Scope scope) {
    synchronized (byTop) {
      if (scope.isOpen()) {
        claiming.add(scope);
        claimant = findClaimant();
        version.incrementAndGet();
      }
    }
  }

  /** Has a scope claim if the one around it is the one that owns what others do. */
  public void claimAsParent(Scope scope) {
    synchronized (byTop) {
      if (claimant != null && claimant == scope.parent()) {
        claim(scope);
      }
    }
  }

  private @Nullable Scope findClaimant() {
    Scope found = null;
    for (Scope each : claiming) {
      if (found == null || each.depth > found.depth) {
        found = each;
      }
    }
    for (int i = 0; found != null && i < claiming.size(); i++) {
      Scope each = claiming.get(i);
      while (found != null && !found.isWithin(each) && !each.isWithin(found)) {
        found = found.parent();
        i = -1;
      }
    }
    return found;
  }

  /** The calling thread does work of the scope now. Where the thread was before. */
  public @Nullable Stay enter(Scope scope) {
    Stay before = stays.get();
    set(Stay.entered(scope, before));
    return before;
  }

  /** From now on the calling thread works for any task that comes. */
  public void serve(Scope scope) {
    set(Stay.forOthers(scope));
  }

  public void leave(@Nullable Stay before) {
    if (before == null) {
      stays.remove();
      version.incrementAndGet();
    } else {
      set(before);
    }
  }

  private void set(Stay stay) {
    stays.set(stay);
    version.incrementAndGet();
  }

  /** As long as it is the same, what {@link #scoped} answered to a thread is right. */
  public int version() {
    return version.get();
  }

  public @Nullable Scope current() {
    Stay stay = stays.get();
    if (stay != null && !stay.scope.isOpen()) {
      stay = settle(stay);
    }
    return scope(stay);
  }

  /** Takes the thread out of a scope that was closed. */
  private @Nullable Stay settle(Stay stay) {
    Scope around = stay.scope.orAround();
    Stay settled = around == null ? null : stay.in(around);
    leave(settled);
    return settled;
  }

  /**
   * The scope of what a thread does.
   *
   * @param stay in an open scope, or null
   */
  private @Nullable Scope scope(@Nullable Stay stay) {
    Scope claims = claimant;
    if (stay == null) {
      return claims == null ? null : claims.orAround();
    }
    Scope own = stay.scope;
    return claims != null
            && claims.depth > own.depth
            && !stay.isExact()
            && claims.isWithin(own)
            && claims.isOpen()
        ? claims
        : own;
  }

  /** The stay of a thread that does what one in {@code stay} has it do; null for nowhere. */
  private @Nullable Stay stay(@Nullable Stay stay) {
    Scope around = stay == null ? null : stay.scope.orAround();
    Stay open =
        stay == null || around == stay.scope ? stay : around == null ? null : stay.in(around);
    Scope scope = scope(open);
    if (scope == null) {
      return null;
    }
    return open != null && open.isInitializing()
        ? open.forInitializer()
        : Stay.own(scope, open != null && open.isExact());
  }

  /**
   * The calling thread begins with the static initialiser of a class; to be followed by {@link
   * #ended} with the same name.
   */
  public void initializing(String className) {
    Scope scope = mode.areScoped() ? current() : null;
    if (scope != null) {
      Stay before = stays.get();
      Stay outside = before;
      // That of another class, which asked for this one, may have led out of the scope of this.
      while (outside != null && outside.isInitializing()) {
        outside = outside.before;
      }
      Stay from = stay(outside);
      Scope innermost = from == null ? scope : from.scope;
      set(Stay.initializing(innermost.ofInitializer(className), className, before));
    }
  }

  /**
   * The calling thread hands a task to an executor.
   *
   * @param isLasting whether it may run more than once
   * @param isCounted whether the executor takes it for sure
   */
  public void handed(Object task, boolean isLasting, boolean isCounted) {
    Stay stay = stay(stays.get());
    // A task from outside of all scopes needs no mark.
    if (stay != null && (stay.scope.depth > 0 || stay.isInitializing())) {
      tasks.put(task, stay, isLasting, isCounted);
    }
  }

  /** The calling thread begins with a task; to be followed by {@link #ended} if it was handed. */
  public void begun(Object task) {
    Stay stay = tasks.isEmpty() ? null : tasks.take(task, stays.get());
    if (stay != null) {
      set(stay);
    }
  }

  /** The calling thread has ended a task. */
  public void ended(Object task) {
    Stay last = stays.get();
    Stay stay = last;
    // A static initialiser may leave the thread in scopes that it entered.
    while (stay != null && stay.task == null) {
      stay = stay.before;
    }
    if (stay != null && stay.task == task) {
      stay.ended(task);
      if (stay == last) {
        leave(stay.before);
      }
      if (stay.counting != null) {
        stay.counting.addTasks(-1);
      }
    }
  }

  /**
   * Whether a timer has a task of the scope, or of one within, that does not say that it is done; a
   * look at all handed tasks.
   */
  public boolean hasTimers(Scope scope) {
    return tasks.hasTimers(scope);
  }

  /** How many tasks are remembered. Tests only. */
  int handedTasks() {
    return tasks.size();
  }

  /** Whether any scope is open. */
  public boolean areOpen() {
    return mode.areScoped();
  }

  /** Where a life begins that would begin at {@code root} outside of scopes. */
  @ForceInline
  public Node root(Node root) {
    return mode.areScoped() ? scoped(root) : root;
  }

  /** Where a life begins while scopes are open. */
  public Node scoped(Node root) {
    Scope scope = current();
    return scope == null ? root : scope.root(root);
  }

  /** A life has begun at a node. */
  public void begun(TrackedBuffer buffer, Node node) {
    if (metered) {
      int bytes = FlowState.bytes(buffer);
      for (Node n = top(node); n != null; n = n.parent()) {
        Meter meter = meters.get(n);
        if (meter != null) {
          meter.begun(buffer, node, bytes);
        }
      }
    }
  }

  /** The capacity of a buffer was changed, perhaps. */
  public void resized(TrackedBuffer buffer) {
    Node node = !metered ? null : Meter.position(buffer);
    if (node != null) {
      int bytes = FlowState.bytes(buffer);
      for (Node n = top(node); n != null; n = n.parent()) {
        Meter meter = meters.get(n);
        if (meter != null) {
          meter.resized(buffer, node, bytes);
        }
      }
    }
  }

  /** A life ends at a node. */
  public void ended(TrackedBuffer buffer, Node node) {
    if (metered) {
      for (Node n = top(node); n != null; n = n.parent()) {
        Meter meter = meters.get(n);
        if (meter != null) {
          meter.ended(buffer, node);
        }
      }
    }
  }

  /** Something was done to a released buffer by the calling thread, and no exception says so. */
  public void misused(MisuseCounts.Key key, @Nullable Node earlier) {
    Scope scope = mode.areScoped() ? current() : null;
    if (scope != null) {
      scope.misused(key, earlier);
    }
  }

  /**
   * Something was done to a released buffer by the calling thread.
   *
   * @param exception says so
   */
  public void misused(
      MisuseCounts.Key key, @Nullable Node earlier, Throwable exception, TrackedBuffer buffer) {
    Scope scope = mode.areScoped() ? current() : null;
    if (scope != null) {
      StackTraceElement[] stack = exception.getStackTrace();
      thrown.add(exception, scope.misused(key, earlier, stack, buffer, stays.get()));
    }
  }

  /** A class is code of a test. */
  public void addTestClass(String name) {
    thrown.addTestClass(name);
  }

  /** Whether there may be an exception that says of a misuse. */
  public boolean hasThrown() {
    return !thrown.isEmpty();
  }

  /**
   * Sets whether misuses count whose exception this is, or is a cause of it, or suppressed by it.
   */
  public void setCaught(Throwable top, boolean caught) {
    thrown.setCaught(top, caught);
  }

  /** As {@link #setCaught}, until the work in their scope has failed. */
  public void setAsked(Throwable top) {
    thrown.setAsked(top);
  }

  /** Lets go of exceptions and tasks that were collected. For the sweeper alone. */
  public void expunge() {
    thrown.expunge();
    tasks.expunge();
  }

  /** A flow was collected unreleased. Under the nursery's monitor. */
  public void collected(TenuredFlow tenured) {
    Scope scope = owner(tenured.node);
    if (scope != null) {
      scope.collected.addCollected(tenured);
    }
  }

  /** The innermost open scope that leads to a node, or null. */
  public @Nullable Scope owner(Node node) {
    synchronized (byTop) {
      for (Node n = top(node); n != null; n = n.parent()) {
        Known scope = byTop.get(n);
        if (scope != null && scope.open != null) {
          return scope.open;
        }
      }
    }
    return null;
  }

  /** The name of the scope in which what is at {@code node} began, or of one around it. */
  String name(Node node) {
    synchronized (byTop) {
      for (Node n = top(node); n != null; n = n.parent()) {
        Known scope = byTop.get(n);
        if (scope != null) {
          return scope.name;
        }
      }
    }
    return "";
  }

  /** How many there are of which something is still held, about. Tests only. */
  int known() {
    synchronized (byTop) {
      return byTop.size();
    }
  }

  private static @Nullable Node top(Node node) {
    Node n = node.isScoped() ? node : null;
    while (n != null && !n.isTop()) {
      n = n.parent();
    }
    return n;
  }
}
