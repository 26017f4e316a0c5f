package org.buftrail.agent.pools;

import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.List;
import org.buftrail.flow.census.LiveBuffers;
import org.buftrail.flow.state.TrackedBuffer;

/**
 * Knows which live buffers are kept alive by pooled slices and duplicates alone. Such a slice has a
 * count of its own, no memory, and a reference to its parent, which the application has released:
 * so the parent's memory is held where the slice is. Confined to one thread.
 */
final class SliceHolders {
  /** A slice of a slice, and so on. */
  private static final int MAX_DEPTH = 32;

  private static final int MAPS = 256;

  private final LiveBuffers live;

  /** Many small maps, lest one has an array too large for the collector's young generation. */
  private final List<IdentityHashMap<Object, Slices>> byParent = new ArrayList<>();

  private boolean hasSlices;

  /** The slices of one parent. */
  private static final class Slices {
    final TrackedBuffer parent;
    final int first;
    int size;
    boolean isOnePath = true;

    Slices(TrackedBuffer parent, int first) {
      this.parent = parent;
      this.first = first;
    }

    /** Whether each reference to the parent is one of these. */
    boolean areAll() {
      try {
        return parent.refCnt() == size;
      } catch (RuntimeException e) {
        // A class of the application's cannot say: the parent stays its own.
        return false;
      }
    }
  }

  SliceHolders(LiveBuffers live) {
    this.live = live;
    for (int i = 0; i < MAPS; i++) {
      byParent.add(new IdentityHashMap<>());
    }
    for (int i = 0; i < live.size(); i++) {
      TrackedBuffer parent = live.parent(i);
      Object buffer = parent == null ? null : LiveBuffers.asMade(parent);
      if (parent != null && buffer != null) {
        add(i, parent, buffer);
      }
    }
  }

  private void add(int i, TrackedBuffer parent, Object buffer) {
    Slices slices = of(buffer).get(buffer);
    if (slices == null) {
      slices = new Slices(parent, i);
      of(buffer).put(buffer, slices);
      hasSlices = true;
    }
    slices.size++;
    slices.isOnePath &= live.path(i) == live.path(slices.first);
  }

  /** A map takes the low bits of the same number. */
  private IdentityHashMap<Object, Slices> of(Object parent) {
    return byParent.get(System.identityHashCode(parent) >>> 16 & MAPS - 1);
  }

  /** The buffer whose place holds the memory of one: a slice of it, or itself. */
  int holder(int i) {
    int holder = i;
    for (int depth = 0; depth < MAX_DEPTH && hasSlices; depth++) {
      Object buffer = live.buffer(holder);
      Slices slices = of(buffer).get(buffer);
      if (slices == null || !slices.isOnePath || !slices.areAll()) {
        break;
      }
      holder = slices.first;
    }
    return holder;
  }
}
