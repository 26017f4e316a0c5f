package org.buftrail.flow.tree;

import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Predicate;
import org.buftrail.flow.base.CallPlace;
import org.buftrail.flow.base.NearestFrames;
import org.jspecify.annotations.Nullable;

/**
 * Looks at the stack for some of the flows, so that a leak without a hop of the application can say
 * who asked for it.
 *
 * <p>A flow that was looked at goes on at nodes of its own, as the flows of a scope do (see {@link
 * Node}): twins below a top that knows what was seen. So a buffer carries nothing more, no race is
 * added, and a path with its counts is the same. When such a flow is found to have leaked, {@link
 * Leaks} counts what was seen at its path. A library's retain of such a flow is looked at too, and
 * its end, which has a node of its own as well, so that a misuse finds what was seen. What it is
 * handed to is noted without a look: a handler, or a library's method by a call of the application.
 *
 * <p>Bounded: {@value #MAX_LOOKS} different sightings with {@value #MAX_NODES} nodes of 56 bytes,
 * or ways of some 80 bytes from one to the next; then all are forgotten, and what is at their nodes
 * goes on. Within a scope they go with the flow.
 *
 * <p>Any thread, with whatever locks the application holds: a look waits for the lock of the path
 * tree at most, as a new hop does.
 */
public final class Looks {
  static final int MAX_LOOKS = 1 << 10;
  static final int MAX_NODES = 1 << 14;

  /** Pairs of ends, which are more than paths where objects are used again. */
  static final int MAX_PAIRS = MAX_NODES >> 2;

  /** Looks that one flow has at most. */
  static final int MAX_OF_FLOW = 4;

  /** What all looks take. */
  public final LookBudget budget = new LookBudget(System.nanoTime());

  private final PathTree tree;

  /**
   * Looks outside of scopes, by what was seen. Guarded by itself, and no other lock is taken then.
   */
  private final Map<Sighting, Look> known = new HashMap<>();

  /** The number of nodes below those in {@link #known}. */
  private final AtomicInteger nodes = new AtomicInteger();

  private final AtomicInteger pairs = new AtomicInteger();

  private volatile @Nullable NearestFrames frames;
  private volatile @Nullable Receivers receivers;

  /** Whether a flow of the side table was looked at. Only ever set, so no reader needs an order. */
  private boolean ofSideTable;

  Looks(PathTree tree) {
    this.tree = tree;
  }

  /**
   * Whether there are any looks from now on.
   *
   * @param isOwn tells the application's classes by their binary names; null for no looks
   */
  public void setOwn(@Nullable Predicate<String> isOwn) {
    NearestFrames walker = isOwn == null ? null : new NearestFrames(isOwn);
    receivers = walker == null ? null : new Receivers(walker);
    frames = walker;
    forget();
  }

  public boolean areOn() {
    return frames != null;
  }

  /** A flow is looked at whose state is in the side table. */
  public void noteForeign() {
    ofSideTable = true;
  }

  /** Whether {@link #noteForeign} was called, perhaps a moment ago on another thread. */
  public boolean areOfSideTable() {
    return ofSideTable;
  }

  /**
   * Looks at the stack of the calling thread, which begins or retains a flow.
   *
   * @return where the flow goes on, which is {@code at} where nothing was seen
   */
  public Node look(Node at) {
    NearestFrames walker = frames;
    Look before = at.look();
    if (walker == null) {
      return at;
    }
    if (before == null) {
      budget.beginFlow();
    }
    try {
      boolean isEnough = before != null && before.seen.looks == MAX_OF_FLOW;
      CallPlace place = isEnough ? null : find(walker);
      if (place == null && !isEnough) {
        return at;
      }
      return goOn(at, before, before == null ? first(at, place) : next(at, before.seen, place));
    } catch (VirtualMachineError e) {
      // The stack may end here, or the heap be full. The flow does without.
      return at;
    }
  }

  private @Nullable CallPlace find(NearestFrames walker) {
    long start = System.nanoTime();
    try {
      return walker.find();
    } finally {
      budget.spend(System.nanoTime() - start);
    }
  }

  private static Sighting first(Node at, @Nullable CallPlace place) {
    return at.isRoot()
        ? new Sighting(1, place, null, null, null, null)
        : new Sighting(1, null, place, null, null, null);
  }

  /**
   * What is known after one more look.
   *
   * @param place what it saw; null where it was one too many, and the last retain is unknown
   */
  private static Sighting next(Node at, Sighting seen, @Nullable CallPlace place) {
    if (place == null) {
      return new Sighting(seen.looks, seen.asked, null, seen.handed, null, seen.message);
    }
    if (at.isRoot()) {
      return new Sighting(seen.looks + 1, place, null, seen.handed, null, seen.message);
    }
    // A channel releases what it retains to write; the retain before it says more.
    boolean isOfOther = seen.retained == null || !place.isOfChannel();
    CallPlace retained = isOfOther ? place : seen.retained;
    return new Sighting(seen.looks + 1, seen.asked, retained, seen.handed, null, seen.message);
  }

  /**
   * Looks at the stack that ends a flow which was looked at before, in case its buffer is misused
   * later.
   *
   * @return where it ends, which is {@code at} where nothing was seen
   */
  public Node released(Node at) {
    NearestFrames walker = frames;
    Look look = at.look();
    if (walker == null || look == null || look.seen.looks == MAX_OF_FLOW) {
      return at;
    }
    try {
      CallPlace place = find(walker);
      Sighting seen = look.seen;
      return place == null
          ? at
          : goOn(
              at,
              look,
              new Sighting(
                  seen.looks + 1, seen.asked, seen.retained, seen.handed, place, seen.message));
    } catch (VirtualMachineError e) {
      return at;
    }
  }

  /** Has a flow that was looked at before handed to a handler; {@code at} for any other. */
  public Node handed(Node at, Class<?> handler, boolean isWritten) {
    Receivers known = receivers;
    Look look = at.look();
    return known == null || look == null
        ? at
        : handed(at, look, known.handler(handler, isWritten, look.seen.handed));
  }

  /** Has a flow that was looked at before handed to a library, from a call site to a callee. */
  public Node handed(Node at, int callSite, int callee) {
    Receivers known = receivers;
    Look look = at.look();
    return known == null || look == null ? at : handed(at, look, known.called(callSite, callee));
  }

  private Node handed(Node at, Look look, CallPlace to) {
    Sighting seen = look.seen;
    return to.equals(seen.handed)
        ? at
        : goOn(
            at,
            look,
            to,
            new Sighting(seen.looks, seen.asked, seen.retained, to, null, seen.message));
  }

  /** Notes which message has a flow that was looked at before; {@code at} for any other. */
  public Node inMessage(Node at, Class<?> message) {
    Receivers known = receivers;
    Look look = at.look();
    CallPlace in = known == null || look == null ? null : known.message(message);
    if (look == null || in == null || in.equals(look.seen.message)) {
      return at;
    }
    Sighting seen = look.seen;
    return goOn(
        at,
        look,
        in,
        new Sighting(seen.looks, seen.asked, seen.retained, seen.handed, seen.released, in));
  }

  private Node goOn(Node at, Look look, CallPlace to, Sighting seen) {
    Node known = look.handed(at, to);
    if (known != null) {
      return known;
    }
    Node next = goOn(at, look, seen);
    if (look.around == null && nodes.incrementAndGet() <= MAX_NODES) {
      look.noteHanded(at, to, next);
    }
    return next;
  }

  private Node goOn(Node at, @Nullable Look before, Sighting seen) {
    return before != null && seen.equals(before.seen)
        ? at
        : tree.underLook(look(at, before, seen), at);
  }

  /** Looks again at a flow that was looked at before; returns {@code at} for any other. */
  public Node lookAgain(Node at) {
    return at.look() == null ? at : look(at);
  }

  /** Has a flow that begins once more, at another root, keep what was seen of it. */
  public Node keep(Node from, Node root) {
    Look look = from.look();
    return look == null ? root : look.root(root);
  }

  private Look look(Node at, @Nullable Look before, Sighting seen) {
    Node around = before != null ? before.around : at.scopeTop();
    if (around != null) {
      return new Look(tree, around, seen);
    }
    synchronized (known) {
      Look look = known.get(seen);
      if (look == null) {
        if (known.size() >= MAX_LOOKS || nodes.get() >= MAX_NODES) {
          forget();
        }
        look = new Look(tree, null, seen);
        known.put(seen, look);
      }
      return look;
    }
  }

  private void forget() {
    synchronized (known) {
      known.clear();
      nodes.set(0);
      pairs.set(0);
    }
  }

  /** Whether there may be one more node below a scoped one. Under the path tree's lock. */
  boolean hasRoom(Node parent) {
    Look look = parent.look();
    return look == null || look.around != null || nodes.incrementAndGet() <= MAX_NODES;
  }

  /** Whether there may be a pair of an end with one before it. */
  boolean hasRoomForPair(Node end) {
    Look look = end.look();
    return look == null || look.around != null || pairs.get() < MAX_PAIRS;
  }

  /** There is one pair more of an end. */
  void addPair(Node end) {
    Look look = end.look();
    if (look != null && look.around == null) {
      pairs.incrementAndGet();
    }
  }
}
