package org.buftrail.agent.pools;

import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.List;
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

  /** Those without a count of their own, by the ends of their names. */
  private static final List<String> VIEWS = List.of("SlicedByteBuf", "DuplicateByteBuf");

  private static final int MAPS = 256;

  private final LiveBuffers live;
  private final Consumer<Class<?>> open;
  private final Map<Class<?>, @Nullable Derived> byClass = new HashMap<>();

  /** Many small maps, lest one has an array too large for the collector's young generation. */
  private final List<IdentityHashMap<Object, Slices>> byParent = new ArrayList<>();

  private boolean hasSlices;

  /** How to ask a slice for its parent. */
  private static final class Derived {
    private final Field parent;
    private final List<Field> delegates = new ArrayList<>();
    private final Class<?> counting;
    private final Method unwrap;
    private final Method count;

    Derived(Class<?> type, Members members) throws ReflectiveOperationException {
      parent = members.field(type, "parent");
      for (String view : VIEWS) {
        String name = type.getSimpleName() + "$PooledNonRetained" + view;
        delegates.add(members.field(name, "referenceCountDelegate"));
      }
      counting = members.type("AbstractReferenceCountedByteBuf");
      unwrap = members.method(members.type("ByteBuf"), "unwrap");
      count = members.method(members.inUtil("ReferenceCounted"), "refCnt");
    }

    /**
     * What counts for the parent, which may be a view of that: a slice without a count of its own,
     * or what Netty's leak detector puts around a buffer that it samples.
     */
    @Nullable Object parent(Object slice) throws ReflectiveOperationException {
      Object at = parent.get(slice);
      for (int depth = 0; depth < MAX_DEPTH && at != null && !counting.isInstance(at); depth++) {
        at = viewed(at);
      }
      return at;
    }

    private @Nullable Object viewed(Object view) throws ReflectiveOperationException {
      for (Field delegate : delegates) {
        if (delegate.getDeclaringClass().isInstance(view)) {
          return delegate.get(view);
        }
      }
      return unwrap.invoke(view);
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
    for (int i = 0; i < MAPS; i++) {
      byParent.add(new IdentityHashMap<>());
    }
    for (int i = 0; i < live.size(); i++) {
      if (live.bytes(i) == 0) {
        add(i);
      }
    }
  }

  private void add(int i) {
    try {
      Derived derived = derived(live.buffer(i).getClass());
      Object parent = derived == null ? null : derived.parent(live.buffer(i));
      if (derived == null || parent == null) {
        return;
      }
      Slices slices = of(parent).get(parent);
      if (slices == null) {
        slices = new Slices(derived, i);
        of(parent).put(parent, slices);
        hasSlices = true;
      }
      slices.size++;
      slices.isOnePath &= live.path(i) == live.path(slices.first);
    } catch (ReflectiveOperationException | RuntimeException e) {
      // It was released just now, or is of a Netty that cannot be asked: its parent stays its own.
    }
  }

  /** A map takes the low bits of the same number. */
  private IdentityHashMap<Object, Slices> of(Object parent) {
    return byParent.get(System.identityHashCode(parent) >>> 16 & MAPS - 1);
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
          return new Derived(c, members);
        } catch (ReflectiveOperationException | RuntimeException | LinkageError e) {
          return null;
        }
      }
    }
    return null;
  }

  /** The buffer whose place holds the memory of one: a slice of it, or itself. */
  int holder(int i) {
    int holder = i;
    for (int depth = 0; depth < MAX_DEPTH && hasSlices; depth++) {
      Object buffer = live.buffer(holder);
      Slices slices = of(buffer).get(buffer);
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
