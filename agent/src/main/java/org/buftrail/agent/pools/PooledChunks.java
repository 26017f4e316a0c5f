package org.buftrail.agent.pools;

import java.lang.reflect.Field;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.Lock;
import org.jspecify.annotations.Nullable;

/**
 * The chunks of {@code PooledByteBufAllocator}: of 4 or 16 MiB, divided into runs of pages, of
 * which some are divided into equal elements; or of one huge buffer.
 *
 * <p>All of them are in lists that the allocator's public metrics go through, each for a moment
 * under the arena's lock. Nothing else here takes a lock.
 *
 * <p>A run that is neither free nor of a buffer is in the cache of a thread. A chunk is given back
 * as its last run becomes free, unless it is in the list of those that have never been a quarter
 * full.
 */
final class PooledChunks implements ChunkReader {
  /** Allocating a chunk, which a thread does under the lock, takes far less. */
  private static final long PATIENCE_MILLIS = 2_000;

  private static final int SIZE_SHIFT = 34;
  private static final int OFFSET_SHIFT = 49;
  private static final int PAGES_MASK = (1 << (OFFSET_SHIFT - SIZE_SHIFT)) - 1;

  private final PooledFields fields;

  /** What was asked last for the index of which size, and the answer. */
  private @Nullable Object indexedBy;

  private int indexedLength;
  private int index;

  PooledChunks(PooledFields fields) {
    this.fields = fields;
  }

  @Override
  public @Nullable Object chunk(Object buffer) throws ReflectiveOperationException {
    return fields.chunk.get(buffer);
  }

  @Override
  public ChunkUse open(Object chunk) throws ReflectiveOperationException {
    Object arena = fields.arena.get(chunk);
    boolean direct = (boolean) fields.isDirect.invoke(arena);
    ChunkUse use =
        new ChunkUse(chunk, new PoolKey(fields.allocator.get(arena), direct), size(chunk));
    if (!fields.unpooled.getBoolean(chunk)) {
      use.runs = new int[(int) (use.size >> fields.pageShifts.getInt(chunk))];
    }
    return use;
  }

  @Override
  public long size(Object chunk) throws ReflectiveOperationException {
    return (int) fields.chunkSize.invoke(chunk);
  }

  @Override
  public void add(Object buffer, long bytes, ChunkUse use) throws ReflectiveOperationException {
    use.buffers++;
    use.taken += fields.maxLength.getInt(buffer);
    int[] runs = use.runs;
    long handle = fields.handle.getLong(buffer);
    int run = (int) (handle >>> OFFSET_SHIFT);
    if (runs != null && run < runs.length && runs[run]++ == 0) {
      use.runPages += (int) (handle >>> SIZE_SHIFT) & PAGES_MASK;
    }
  }

  @Override
  public void close(ChunkUse use) throws ReflectiveOperationException {
    int[] runs = use.runs;
    if (runs == null) {
      use.isReturned = true;
      return;
    }
    use.free = fields.freeBytes.getInt(use.chunk);
    long used = use.size - use.free;
    use.hasOthers = (long) use.runPages << fields.pageShifts.getInt(use.chunk) != used;
    Object[] subpages = (Object[]) fields.subpages.get(use.chunk);
    for (int run = 0; run < Math.min(runs.length, subpages.length); run++) {
      Object subpage = runs[run] == 0 ? null : subpages[run];
      if (subpage != null) {
        int elements = fields.maxNumElems.getInt(subpage) - fields.numAvail.getInt(subpage);
        use.hasOthers |= elements != runs[run];
      }
    }
    Object arena = fields.arena.get(use.chunk);
    use.isReturned = fields.parent.get(use.chunk) != fields.emptiest.get(arena);
    use.runs = null;
  }

  /**
   * A buffer goes into the cache of the thread that allocated it, where that has room. And of each
   * size of elements the arena keeps one run, even when all its elements are free.
   */
  @Override
  public void keep(Object buffer, ChunkUse use, Holding holding)
      throws ReflectiveOperationException {
    Object arena = fields.arena.get(use.chunk);
    Object sizes = fields.sizeClass == null ? arena : fields.sizeClass.get(arena);
    int index = sizeIndex(sizes, fields.maxLength.getInt(buffer));
    Object[] small = (Object[]) fields.smallSubpagePools.get(arena);
    if (index < small.length) {
      holding.keep(small[index]);
    }
    Object cache = fields.cache.get(buffer);
    if (cache == null || ((AtomicBoolean) fields.freed.get(cache)).get()) {
      return;
    }
    boolean direct = use.pool.direct;
    Field regions =
        index < small.length
            ? direct ? fields.smallDirect : fields.smallHeap
            : direct ? fields.normalDirect : fields.normalHeap;
    Object[] caches = (Object[]) regions.get(cache);
    int at = index < small.length ? index : index - small.length;
    if (caches != null && at < caches.length) {
      holding.keep(caches[at]);
    }
  }

  /** Asks by reflection, which makes two objects, only where the size is another than before. */
  private int sizeIndex(Object sizes, int length) throws ReflectiveOperationException {
    if (sizes != indexedBy || length != indexedLength) {
      index = (int) fields.sizeIndex.invoke(sizes, length);
      indexedBy = sizes;
      indexedLength = length;
    }
    return index;
  }

  @Override
  public int room(Object keeper) throws ReflectiveOperationException {
    if (!fields.queue.getDeclaringClass().isInstance(keeper)) {
      return 1;
    }
    return Math.max(
        0, fields.queueSize.getInt(keeper) - ((Queue<?>) fields.queue.get(keeper)).size());
  }

  @Override
  public boolean keepsAny(PoolKey pool) throws ReflectiveOperationException {
    return bytes(pool) > 0;
  }

  @Override
  public Iterable<Object> chunks(PoolKey pool) throws ReflectiveOperationException {
    List<Object> chunks = new ArrayList<>();
    for (Object arena : arenas(pool)) {
      checkLock(arena);
      for (Object list : (List<?>) fields.chunkLists.invoke(arena)) {
        for (Object chunk : (Iterable<?>) list) {
          chunks.add(chunk);
        }
      }
    }
    return chunks;
  }

  @Override
  public long bytes(PoolKey pool) throws ReflectiveOperationException {
    for (Object arena : arenas(pool)) {
      checkLock(arena);
    }
    return (long) (pool.direct ? fields.usedDirect : fields.usedHeap).invoke(metric(pool));
  }

  private List<?> arenas(PoolKey pool) throws ReflectiveOperationException {
    return (List<?>) (pool.direct ? fields.directArenas : fields.heapArenas).invoke(metric(pool));
  }

  /** Netty's metrics wait for it without end, also where a thread died with it. */
  private void checkLock(Object arena) throws ReflectiveOperationException {
    if (fields.lock == null) {
      return;
    }
    Lock lock = (Lock) fields.lock.get(arena);
    try {
      if (!lock.tryLock(PATIENCE_MILLIS, TimeUnit.MILLISECONDS)) {
        throw new IllegalStateException("the lock of an arena is not given back");
      }
      lock.unlock();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted", e);
    }
  }

  private Object metric(PoolKey pool) throws ReflectiveOperationException {
    return fields.metric.invoke(pool.allocator);
  }
}
