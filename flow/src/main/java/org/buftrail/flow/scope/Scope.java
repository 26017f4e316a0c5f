package org.buftrail.flow.scope;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.buftrail.flow.state.TrackedBuffer;
import org.buftrail.flow.tree.MisuseCounts;
import org.buftrail.flow.tree.Node;
import org.buftrail.flow.tree.PathTree;
import org.buftrail.model.Misuse;
import org.jspecify.annotations.Nullable;

/** What threads and flows need of a {@code LeakScope}. Thread-safe. */
public class Scope {
  /** Different misuses that a scope reports. */
  private static final int MAX_MISUSES = 100;

  /** The leftovers that were collected unreleased. */
  public final Leftovers collected = new Leftovers();

  /** Above the roots of all that was allocated here. */
  final Node top;

  private final String name;
  private final @Nullable Scope parent;

  /** The scope's twins of roots, by root. */
  private final Map<Node, Node> roots = new ConcurrentHashMap<>();

  /** One of them, which is found faster: most tests allocate one kind of buffer. */
  private @Nullable Twin first;

  private final MisuseCounts misuses = new MisuseCounts(MAX_MISUSES);

  /** See {@link ThrownMisuse}. */
  private final List<ThrownMisuse> asked = new ArrayList<>();

  /** Counts what is allocated in here and within; null for nothing. */
  public final @Nullable Meter meter;

  /** How many are around it. */
  final int depth;

  /** Handed tasks of its threads that have not ended. */
  private final AtomicInteger tasks = new AtomicInteger();

  /** Whether a scope was opened within. */
  private volatile boolean hasInner;

  /** Whether something was allocated in a scope below that is closed. */
  private volatile boolean hasClosed;

  private volatile boolean open = true;

  /** Immutable, so that it may be read without a fence. */
  private static final class Twin {
    final Node of;
    final Node twin;

    Twin(Node of, Node twin) {
      this.of = of;
      this.twin = twin;
    }
  }

  /**
   * @param tree whose flows begin in it
   * @param parent the scope around it, or null
   * @param meter counts what is allocated there, or null
   */
  public Scope(PathTree tree, String name, @Nullable Scope parent, @Nullable Meter meter) {
    this.name = Objects.requireNonNull(name);
    this.parent = parent;
    this.meter = meter;
    this.top = tree.top(parent == null ? null : parent.top, meter != null);
    this.depth = parent == null ? 0 : parent.depth + 1;
    if (parent != null) {
      parent.hasInner = true;
    }
  }

  /** What failures call it. */
  public final String name() {
    return name;
  }

  /** Whether it has not been closed. */
  public final boolean isOpen() {
    return open;
  }

  /** The scope around it, or null. */
  final @Nullable Scope parent() {
    return parent;
  }

  /** Whether no scope was opened within: it is that of a piece of work, as a test is. */
  final boolean isInnermost() {
    return !hasInner;
  }

  /** Whether this is another one or within that. */
  final boolean isWithin(Scope other) {
    Scope at = this;
    while (at != null && at.depth > other.depth) {
      at = at.parent;
    }
    return at == other;
  }

  /** Counts tasks that were handed on, or have ended. */
  final void addTasks(int count) {
    tasks.addAndGet(count);
  }

  /** Whether an executor has a task of its threads that has not ended. */
  public final boolean hasTasks() {
    return tasks.get() > 0;
  }

  /** The innermost open one of this and those around it, or null. */
  final @Nullable Scope orAround() {
    Scope at = this;
    while (at != null && !at.open) {
      at = at.parent;
    }
    return at;
  }

  /** The one around all others that are around this, or this. */
  public final Scope outermost() {
    Scope at = this;
    for (Scope around = parent; around != null; around = around.parent) {
      at = around;
    }
    return at;
  }

  /**
   * The scope of what the static initialiser of a class makes: the one that is named for the class,
   * of this and those around it. What other classes keep is for everybody, so it is the outermost.
   */
  public final Scope ofInitializer(String className) {
    Scope at = this;
    while (at.parent != null && !at.name.equals(className)) {
      at = at.parent;
    }
    return at;
  }

  /** The root of what is allocated in here and would be {@code root}'s outside of scopes. */
  public final Node root(Node root) {
    Twin common = first;
    if (common != null && common.of == root) {
      return common.twin;
    }
    Node known = roots.get(root);
    return known != null ? known : makeRoot(root);
  }

  private Node makeRoot(Node root) {
    Node made = Node.scopedRoot(top, root);
    Node other = roots.putIfAbsent(root, made);
    Scope around = open ? null : orAround();
    if (around != null) {
      // Closed since the thread looked which scope it is in.
      around.hasClosed = true;
    }
    Node twin = other != null ? other : made;
    if (first == null) {
      first = new Twin(root, twin);
    }
    return twin;
  }

  /** A thread in here did this. */
  final void misused(MisuseCounts.Key key, @Nullable Node earlier) {
    misuses.add(key, earlier, null, MisuseCounts.NO_STACK);
  }

  /**
   * A thread in here did this, and an exception says so.
   *
   * @param during see {@link ThrownMisuse}
   */
  final ThrownMisuse misused(
      MisuseCounts.Key key,
      @Nullable Node earlier,
      StackTraceElement[] stack,
      TrackedBuffer buffer,
      @Nullable Stay during) {
    misuses.add(key, earlier, null, stack);
    return new ThrownMisuse(misuses, asked, key, earlier, stack, buffer, during);
  }

  /** The work in here has failed: misuses count of which its code did not learn more than that. */
  public final void failed() {
    ThrownMisuse.failed(misuses, asked);
  }

  /** What threads in here did to buffers that were released already. In no order. */
  public final List<Misuse> misuses() {
    return misuses.list();
  }

  /** Whether something was allocated here, or in a closed scope within. */
  public final boolean wasUsed() {
    return !roots.isEmpty() || hasClosed;
  }

  /** A thread that begins a life here afterwards is seen, or sees that it is closed. */
  public final void close() {
    open = false;
  }

  /**
   * Live buffers have been counted, and belongs to the scope around from now on.
   *
   * @param collectedToo whether what was collected does too
   */
  public final void transfer(boolean collectedToo) {
    if (parent != null) {
      parent.hasClosed = true;
      if (collectedToo) {
        parent.collected.addAll(collected);
      }
    }
  }

  /** Lets go of what nothing new will begin at. */
  public final void forgetRoots() {
    roots.clear();
    first = null;
  }
}
