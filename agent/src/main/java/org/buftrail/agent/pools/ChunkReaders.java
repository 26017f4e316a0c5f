package org.buftrail.agent.pools;

import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Finds by a buffer's class how to ask for its chunk, in any number of Nettys. Holds their classes,
 * so it is made anew each time. Confined to one thread.
 */
final class ChunkReaders {
  private static final String POOLED = ".PooledByteBuf";
  private static final String ADAPTIVE = ".AdaptivePoolingAllocator$AdaptiveByteBuf";

  private final Consumer<Class<?>> open;
  private final Map<Class<?>, @Nullable ChunkReader> byClass = new HashMap<>();
  private final Map<Class<?>, @Nullable ChunkReader> byBase = new HashMap<>();
  private final Set<Class<?>> unknownClasses = new LinkedHashSet<>();
  private final Set<String> unknown = new LinkedHashSet<>();

  /**
   * @param open lets the agent read the members of a class, whatever its module says
   */
  ChunkReaders(Consumer<Class<?>> open) {
    this.open = open;
  }

  /** Null for buffers that have memory of their own, or none. */
  @Nullable ChunkReader of(Class<?> type) {
    if (!byClass.containsKey(type)) {
      byClass.put(type, find(type));
    }
    return byClass.get(type);
  }

  /** The reader of an allocator that was met without a buffer; null where there is none. */
  @Nullable ChunkReader ofAllocator(Class<?> type) {
    for (Class<?> c = type; c != null; c = c.getSuperclass()) {
      String name = c.getName();
      String buffer =
          name.endsWith(".PooledByteBufAllocator")
              ? POOLED.substring(1)
              : name.endsWith(".AdaptivePoolingAllocator") ? ADAPTIVE.substring(1) : null;
      if (buffer != null) {
        Class<?> base = new Members(c, open).typeOrNull(buffer);
        return base == null ? null : ofBase(base);
      }
    }
    return null;
  }

  private @Nullable ChunkReader find(Class<?> type) {
    for (Class<?> c = type; c != null; c = c.getSuperclass()) {
      if (c.getName().endsWith(POOLED) || c.getName().endsWith(ADAPTIVE)) {
        ChunkReader reader = ofBase(c);
        if (reader == null) {
          unknownClasses.add(type);
        }
        return reader;
      }
    }
    return null;
  }

  private @Nullable ChunkReader ofBase(Class<?> base) {
    if (!byBase.containsKey(base)) {
      byBase.put(base, make(base));
    }
    return byBase.get(base);
  }

  private @Nullable ChunkReader make(Class<?> base) {
    Members members = new Members(base, open);
    try {
      return base.getName().endsWith(POOLED)
          ? new PooledChunks(new PooledFields(base, members))
          : new AdaptiveChunks(new AdaptiveFields(base, members), open);
    } catch (ReflectiveOperationException | RuntimeException | LinkageError e) {
      unknown.add(
          line(e) + ", so the chunks of its " + base.getSimpleName() + "s are not explained");
      return null;
    }
  }

  /** Whether buffers of a class lie in chunks that cannot be looked into. */
  boolean isUnknown(Class<?> type) {
    return unknownClasses.contains(type);
  }

  /** A line for each kind of chunk that cannot be looked into. */
  Set<String> unknown() {
    return unknown;
  }

  /** How users know an allocator. */
  static String name(PoolKey pool) {
    String name = pool.allocator.getClass().getSimpleName();
    return name.equals("AdaptivePoolingAllocator") ? "AdaptiveByteBufAllocator" : name;
  }

  /** What went wrong, in one line. */
  static String line(Throwable e) {
    Throwable cause = e.getCause() == null ? e : e.getCause();
    return e instanceof NoSuchFieldException
            || e instanceof NoSuchMethodException
            || e instanceof ClassNotFoundException
        ? "this Netty has no " + e.getMessage()
        : "this Netty cannot be asked: " + cause;
  }
}
