package org.buftrail.flow.scope;

import java.util.ArrayDeque;
import java.util.Collections;
import java.util.Deque;
import java.util.IdentityHashMap;
import java.util.Map;
import java.util.Set;
import java.util.WeakHashMap;
import org.buftrail.flow.base.ForceInline;
import org.buftrail.flow.base.Stable;
import org.buftrail.flow.base.TrackingMode;
import org.buftrail.flow.base.WeakIdentityMap;
import org.buftrail.flow.state.TenuredFlow;
import org.buftrail.flow.tree.MisuseCounts;
import org.buftrail.flow.tree.Node;
import org.jspecify.annotations.Nullable;

/**
 * Which scope a thread is in, and whose a flow is.
 *
 * <p>The path of a flow leads up to the tops of the scopes in which it began; it is the leftover of
 * the innermost that is open.
 */
public final class Scopes {
  @SuppressWarnings("ThreadLocalUsage") // as few as there are trackers
  private final InheritableThreadLocal<Scope> current = new InheritableThreadLocal<>();

  private static final int MAX_THROWN = 10_000;
  private static final int MAX_CAUSES = 100;
  private static final StackTraceElement[] NO_STACK = {};

  @Stable private final TrackingMode mode;

  /** Exceptions of misuses in open scopes, which code of a test may still catch. */
  private final WeakIdentityMap<ThrownMisuse> thrown = new WeakIdentityMap<>();

  /** How many are open. Guarded by {@link #byTop}. */
  private int open;

  /** Those that are open, and those that were handed over and have something live. */
  private final Map<Node, Known> byTop = new WeakHashMap<>();

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
      open++;
      mode.setScoped(true);
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
      open--;
      mode.setScoped(open > 0);
    }
    if (current.get() == scope) {
      leave(scope.orAround());
    }
  }

  /** Where the thread was before. */
  public @Nullable Scope enter(Scope scope) {
    Scope before = current.get();
    current.set(scope);
    return before;
  }

  public void leave(@Nullable Scope before) {
    if (before == null) {
      current.remove();
    } else {
      current.set(before);
    }
  }

  public @Nullable Scope current() {
    Scope scope = current.get();
    if (scope == null || scope.isOpen()) {
      return scope;
    }
    Scope around = scope.orAround();
    leave(around);
    return around;
  }

  /** Where a life begins that would begin at {@code root} outside of scopes. */
  @ForceInline
  public Node root(Node root) {
    return mode.areScoped() ? scoped(root) : root;
  }

  private Node scoped(Node root) {
    Scope scope = current();
    return scope == null ? root : scope.root(root);
  }

  /**
   * Something was done to a released buffer by the calling thread.
   *
   * @param thrown the exception that says so, or null for none
   */
  public void misused(MisuseCounts.Key key, @Nullable Node earlier, @Nullable Throwable thrown) {
    Scope scope = mode.areScoped() ? current() : null;
    if (scope == null) {
      return;
    }
    if (thrown == null) {
      scope.misused(key, earlier, NO_STACK);
    } else {
      ThrownMisuse misuse = scope.misused(key, earlier, thrown.getStackTrace());
      if (this.thrown.size() < MAX_THROWN) {
        this.thrown.put(thrown, misuse);
      }
    }
  }

  /** Whether there may be an exception that says of a misuse. */
  public boolean hasThrown() {
    return !thrown.isEmpty();
  }

  /**
   * Sets whether misuses count whose exception this is, or is a cause of it, or suppressed by it.
   */
  public void setCaught(Throwable top, boolean caught) {
    Set<Throwable> seen = Collections.newSetFromMap(new IdentityHashMap<>());
    Deque<Throwable> left = new ArrayDeque<>();
    left.add(top);
    while (!left.isEmpty() && seen.size() < MAX_CAUSES) {
      Throwable at = left.remove();
      if (!seen.add(at)) {
        continue;
      }
      ThrownMisuse misuse = thrown.get(at);
      if (misuse != null) {
        misuse.setCaught(caught);
      }
      if (at.getCause() != null) {
        left.add(at.getCause());
      }
      Collections.addAll(left, at.getSuppressed());
    }
  }

  /** Lets go of exceptions that were collected. For the sweeper alone. */
  public void expunge() {
    thrown.expunge();
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
  public int known() {
    synchronized (byTop) {
      return byTop.size();
    }
  }

  private static @Nullable Node top(Node node) {
    Node n = node;
    while (n != null && !n.isTop()) {
      n = n.parent();
    }
    return n;
  }
}
