package org.buftrail.agent.pools;

import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.Map;
import java.util.function.Consumer;
import org.buftrail.flow.census.LiveBuffers;
import org.jspecify.annotations.Nullable;

/**
 * Knows which live buffers are kept alive by pooled slices and duplicates alone. Such a slice has a
 * count of its own, no memory, and a reference to its parent, which the application has released:
 * so the parent's memory is held where the slice is. Confined to one thread.
 */
final class SliceHolders {
  private static final String DERIVED = ".AbstractPooledDerivedByteBuf";

  /** A slice of a slice, and so on. */
  private static final int MAX_DEPTH = 32;

  private final LiveBuffers live;
  private final Consumer<Class<?>> open;
  private final Map<Class<?>, @Nullable Derived> byClass = new HashMap<>();
  private final IdentityHashMap<Object, Slices> byParent = new IdentityHashMap<>();

  /** How to ask a slice for its parent. */
  private static final class Derived {
    final Field parent;
    final Method count;

    Derived(Field parent, Method count) {
      this.parent = parent;
      this.count = count;
    }
  }

  /** The slices of one parent. */
  private static final class Slices {
    final Derived derived;
    final int first;
    int size;
    boolean isOnePath = true;

    Slices(Derived derived, int first) {
      this.derived = derived;
      this.first = first;
    }
  }

  /**
   * @param open lets the agent read the members of a class, whatever its module says
   */
  SliceHolders(LiveBuffers live, Consumer<Class<?>> open) {
    this.live = live;
    this.open = open;
    for (int i = 0; i < live.size(); i++) {
      if (live.bytes(i) == 0) {
        add(i);
      }
    }
  }

  private void add(int i) {
    try {
      Derived derived = derived(live.buffer(i).getClass());
      Object parent = derived == null ? null : derived.parent.get(live.buffer(i));
      if (derived == null || parent == null) {
        return;
      }
      Slices slices = byParent.get(parent);
      if (slices == null) {
        slices = new Slices(derived, i);
        byParent.put(parent, slices);
      }
      slices.size++;
      slices.isOnePath &= live.path(i) == live.path(slices.first);
    } catch (ReflectiveOperationException | RuntimeException e) {
      // It was released just now, or is of a Netty that cannot be asked: its parent stays its own.
    }
  }

  private @Nullable Derived derived(Class<?> type) {
    if (!byClass.containsKey(type)) {
      byClass.put(type, find(type));
    }
    return byClass.get(type);
  }

  private @Nullable Derived find(Class<?> type) {
    for (Class<?> c = type; c != null; c = c.getSuperclass()) {
      if (c.getName().endsWith(DERIVED)) {
        Members members = new Members(c, open);
        try {
          open.accept(c);
          Class<?> counted = members.inUtil("ReferenceCounted");
          return new Derived(members.field(c, "parent"), members.method(counted, "refCnt"));
        } catch (ReflectiveOperationException | RuntimeException e) {
          return null;
        }
      }
    }
    return null;
  }

  /** The buffer whose place holds the memory of one: a slice of it, or itself. */
  int holder(int i) {
    int holder = i;
    for (int depth = 0; depth < MAX_DEPTH && !byParent.isEmpty(); depth++) {
      Object buffer = live.buffer(holder);
      Slices slices = byParent.get(buffer);
      if (slices == null || !slices.isOnePath || !isHeldBy(slices, buffer)) {
        break;
      }
      holder = slices.first;
    }
    return holder;
  }

  /** Whether each of its references is a slice's. */
  private static boolean isHeldBy(Slices slices, Object buffer) {
    try {
      return (int) slices.derived.count.invoke(buffer) == slices.size;
    } catch (ReflectiveOperationException | RuntimeException e) {
      return false;
    }
  }
}
