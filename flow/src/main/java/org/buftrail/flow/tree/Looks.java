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
 * Leaks} counts what was seen at its path. A library's retain of such a flow is looked at too.
 *
 * <p>Bounded: {@value #MAX_LOOKS} different sightings with {@value #MAX_NODES} nodes of 56 bytes;
 * then all are forgotten, and what is at their nodes goes on. Within a scope they go with the flow.
 *
 * <p>Any thread, with whatever locks the application holds: a look waits for the lock of the path
 * tree at most, as a new hop does.
 */
public final class Looks {
  static final int MAX_LOOKS = 1 << 10;
  static final int MAX_NODES = 1 << 14;

  /** Looks that one flow has at most. */
  private static final int MAX_OF_FLOW = 4;

  private final PathTree tree;

  /** By what was seen, outside of scopes. Guarded by itself, and no other lock is taken then. */
  private final Map<Sighting, Look> known = new HashMap<>();

  /** Of those in {@link #known}. */
  private final AtomicInteger nodes = new AtomicInteger();

  private volatile @Nullable NearestFrames frames;

  Looks(PathTree tree) {
    this.tree = tree;
  }

  /**
   * Whether there are any looks from now on.
   *
   * @param isOwn tells the application's classes by their binary names; null for no looks
   */
  public void setOwn(@Nullable Predicate<String> isOwn) {
    frames = isOwn == null ? null : new NearestFrames(isOwn);
    forget();
  }

  public boolean areOn() {
    return frames != null;
  }

  /**
   * Looks at the stack of the calling thread, which begins or retains a flow.
   *
   * @return where the flow goes on, which is {@code at} where nothing was seen
   */
  public Node look(Node at) {
    NearestFrames walker = frames;
    Look before = at.look();
    int taken = before == null ? 0 : before.taken;
    if (walker == null || taken == MAX_OF_FLOW) {
      return at;
    }
    try {
      CallPlace place = walker.find();
      if (place == null) {
        return at;
      }
      Sighting seen =
          at.isRoot()
              ? new Sighting(place, null)
              : new Sighting(before == null ? null : before.seen.asked, place);
      return tree.underLook(look(at, before, seen, taken + 1), at);
    } catch (VirtualMachineError e) {
      // The stack may end here, or the heap be full. The flow does without.
      return at;
    }
  }

  /** The same for a flow that was looked at before; {@code at} for any other. */
  public Node lookAgain(Node at) {
    return at.look() == null ? at : look(at);
  }

  /** Has a flow that begins once more, at another root, keep what was seen of it. */
  public Node keep(Node from, Node root) {
    Look look = from.look();
    return look == null ? root : look.root(root);
  }

  private Look look(Node at, @Nullable Look before, Sighting seen, int taken) {
    Node around = before != null ? before.around : at.scopeTop();
    if (around != null) {
      return new Look(tree, around, seen, taken);
    }
    synchronized (known) {
      Look look = known.get(seen);
      if (look == null) {
        if (known.size() >= MAX_LOOKS || nodes.get() >= MAX_NODES) {
          forget();
        }
        look = new Look(tree, null, seen, taken);
        known.put(seen, look);
      }
      return look;
    }
  }

  private void forget() {
    synchronized (known) {
      known.clear();
      nodes.set(0);
    }
  }

  /** Whether there may be one more node below a scoped one. Under the path tree's lock. */
  boolean hasRoom(Node parent) {
    Look look = parent.look();
    return look == null || look.around != null || nodes.incrementAndGet() <= MAX_NODES;
  }
}
