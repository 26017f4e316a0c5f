package org.buftrail.agent.pools;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The chunks of {@code AdaptivePoolingAllocator}: of 128 KiB to 8 MiB, divided into equal segments
 * or as they come.
 *
 * <p>The allocator knows how many bytes there are in all, and has no list of its chunks. Those that
 * it allocates from, or will, are in its magazines and caches; the rest is known to its buffers
 * alone. Such a chunk is given back with its last buffer. Nothing here takes a lock.
 */
final class AdaptiveChunks implements ChunkReader {
  /**
   * State of a chunk of segments that the allocator owns. In any other state the allocator has left
   * it.
   */
  private static final int AVAILABLE = -1;

  private final AdaptiveFields fields;
  private final Consumer<Class<?>> open;

  AdaptiveChunks(AdaptiveFields fields, Consumer<Class<?>> open) {
    this.fields = fields;
    this.open = open;
  }

  @Override
  public @Nullable Object chunk(Object buffer) throws ReflectiveOperationException {
    Object chunk = fields.chunk.get(buffer);
    return chunk == null || fields.allocator.get(chunk) == null ? null : chunk;
  }

  @Override
  public ChunkUse open(Object chunk) throws ReflectiveOperationException {
    boolean direct = (boolean) fields.isDirect.invoke(fields.delegate.get(chunk));
    return new ChunkUse(chunk, new PoolKey(fields.allocator.get(chunk), direct), size(chunk));
  }

  @Override
  public long size(Object chunk) throws ReflectiveOperationException {
    return fields.capacity.getInt(chunk);
  }

  @Override
  public void add(Object buffer, long bytes, ChunkUse use) throws ReflectiveOperationException {
    use.buffers++;
    use.taken += fields.maxFastCapacity == null ? bytes : fields.maxFastCapacity.getInt(buffer);
  }

  @Override
  public void close(ChunkUse use) throws ReflectiveOperationException {
    Object chunk = use.chunk;
    AdaptiveFields.Segments segments = fields.segments;
    if (segments != null && segments.type.isInstance(chunk)) {
      int free = segments.free(chunk);
      use.free = (long) free * segments.size.getInt(chunk);
      use.hasOthers = segments.count.getInt(chunk) - free != use.buffers;
      use.isReturned = segments.state.getInt(chunk) != AVAILABLE;
      return;
    }
    use.free = Math.max(0, use.size - fields.allocatedBytes.getInt(chunk));
    Object counted = fields.refCnt == null ? chunk : fields.refCnt.get(chunk);
    int count =
        (int)
            (fields.refCnt == null
                ? fields.count.invoke(counted)
                : fields.count.invoke(null, counted));
    boolean isLeft = count == use.buffers;
    // The allocator counts for one buffer as long as it has the chunk.
    use.hasOthers = !isLeft && count != use.buffers + 1;
    boolean isReused =
        segments == null
            && fields.magazine.get(chunk) != null
            && (fields.pooled == null || fields.pooled.getBoolean(chunk));
    use.isReturned = isLeft && !isReused;
  }

  @Override
  public void keep(Object buffer, ChunkUse use, Holding holding) {
    // A chunk that the allocator has left stays with nobody.
  }

  @Override
  public int room(Object keeper) {
    return 0;
  }

  /** The allocator has one kind, which its chunks say. */
  @Override
  public boolean keepsAny(PoolKey pool) throws ReflectiveOperationException {
    if (bytes(pool) > 0) {
      for (Object chunk : chunks(pool)) {
        return open(chunk).pool.direct == pool.direct;
      }
    }
    return false;
  }

  @Override
  public Iterable<Object> chunks(PoolKey pool) throws ReflectiveOperationException {
    ReachableChunks reachable = new ReachableChunks(fields.chunks, open);
    reachable.add(pool.allocator);
    for (Object magazines : magazinesOfThreads()) {
      reachable.add(magazines);
    }
    List<Object> chunks = new ArrayList<>();
    for (Object chunk : reachable.find()) {
      if (fields.allocator.get(chunk) == pool.allocator) {
        chunks.add(chunk);
      }
    }
    return chunks;
  }

  /** What event loops have of their own, of whichever allocator. */
  private List<Object> magazinesOfThreads() throws ReflectiveOperationException {
    List<Object> found = new ArrayList<>();
    String name = fields.usedMemory.getDeclaringClass().getName() + "$Magazine";
    for (Thread thread : Threads.all()) {
      Object map = fields.threads.isInstance(thread) ? fields.threadLocalMap.get(thread) : null;
      Object[] variables = map == null ? null : (Object[]) fields.indexedVariables.get(map);
      for (Object variable : variables == null ? new Object[0] : variables) {
        Class<?> type = variable == null ? null : variable.getClass();
        if (type != null
            && (type.isArray() ? type.getComponentType() : type).getName().startsWith(name)) {
          found.add(variable);
        }
      }
    }
    return found;
  }

  @Override
  public long bytes(PoolKey pool) throws ReflectiveOperationException {
    return (long) fields.usedMemory.invoke(pool.allocator);
  }
}
