package org.buftrail.agent.pools;

import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.buftrail.flow.census.LiveBuffers;
import org.buftrail.model.Path;
import org.buftrail.model.PoolMemory;
import org.jspecify.annotations.Nullable;

/**
 * Goes over live buffers once, asks in which chunk each lies, then what becomes of each chunk.
 * While threads go on, a chunk may be seen in part; then it is reported as shared, or left out.
 * Confined to one thread.
 */
final class PoolWalk {
  /** Paths that are reported, those that keep most alone. */
  static final int MAX_HOLDERS = 200;

  /** Chunks that are reported, the largest. */
  static final int MAX_CHUNKS = 1_000;

  private static final int BITS = 13;
  private static final int SIZE = 1 << BITS;

  private final LiveBuffers live;
  private final List<Object> idle;
  private final ChunkReaders readers;
  private final Map<Integer, Holding> holdings = new HashMap<>();
  private final IdentityHashMap<Object, ChunkUse> chunks = new IdentityHashMap<>();
  private final Map<PoolKey, ChunkReader> pools = new LinkedHashMap<>();
  private final Set<String> unexplained = new LinkedHashSet<>();

  /**
   * By index of the buffer; in rows, so that no array is too large for the collector's young
   * generation.
   */
  private final @Nullable ChunkUse[][] placed;

  /**
   * @param idle allocators that may have no live buffer
   */
  PoolWalk(LiveBuffers live, List<Object> idle, ChunkReaders readers) {
    this.live = live;
    this.idle = idle;
    this.readers = readers;
    this.placed = new ChunkUse[(live.size() >> BITS) + 1][];
  }

  PoolMemory go() {
    SliceHolders slices = new SliceHolders(live);
    for (int i = 0; i < live.size(); i++) {
      Holding holding = holding(slices.holder(i));
      ChunkReader reader = readers.of(live.buffer(i).getClass());
      if (reader != null) {
        place(i, reader, holding);
      } else if (live.bytes(i) > 0 && !readers.isUnknown(live.buffer(i).getClass())) {
        holding.buffers++;
        holding.bytes += live.bytes(i);
        holding.addOwn(live.bytes(i));
      }
    }
    for (Object allocator : idle) {
      look(allocator);
    }
    unexplained.addAll(readers.unknown());
    for (ChunkUse use : chunks.values()) {
      close(use);
    }
    keep();
    return told();
  }

  /** One class of each library whose allocators were met. */
  Set<Class<?>> libraries() {
    Map<ClassLoader, Class<?>> byLoader = new HashMap<>();
    for (PoolKey key : pools.keySet()) {
      byLoader.putIfAbsent(key.allocator.getClass().getClassLoader(), key.allocator.getClass());
    }
    return new LinkedHashSet<>(byLoader.values());
  }

  /** The allocators that were met. */
  Set<Object> allocators() {
    Set<Object> allocators = Collections.newSetFromMap(new IdentityHashMap<>());
    for (PoolKey key : pools.keySet()) {
      allocators.add(key.allocator);
    }
    return allocators;
  }

  /** An allocator may keep memory without a live buffer. */
  private void look(Object allocator) {
    ChunkReader reader = readers.ofAllocator(allocator.getClass());
    for (boolean direct : new boolean[] {true, false}) {
      PoolKey key = new PoolKey(allocator, direct);
      try {
        if (reader != null && !pools.containsKey(key) && reader.keepsAny(key)) {
          pools.put(key, reader);
        }
      } catch (ReflectiveOperationException | RuntimeException e) {
        unexplained.add(ChunkReaders.line(e));
      }
    }
  }

  private Holding holding(int i) {
    Integer path = live.path(i);
    Holding known = holdings.get(path);
    if (known == null) {
      known = new Holding(i);
      holdings.put(path, known);
    }
    return known;
  }

  private void place(int i, ChunkReader reader, Holding holding) {
    try {
      Object buffer = live.buffer(i);
      Object chunk = reader.chunk(buffer);
      if (chunk == null) {
        return;
      }
      ChunkUse use = chunks.get(chunk);
      if (use == null) {
        use = reader.open(chunk);
        chunks.put(chunk, use);
        pools.putIfAbsent(use.pool, reader);
      }
      reader.add(buffer, live.bytes(i), use);
      put(i, use);
      holding.buffers++;
      holding.bytes += live.bytes(i);
      if (use.add(holding)) {
        holding.chunks++;
        holding.held += use.size;
      }
    } catch (ReflectiveOperationException | RuntimeException e) {
      unexplained.add(ChunkReaders.line(e));
    }
  }

  private void put(int i, ChunkUse use) {
    if (placed[i >> BITS] == null) {
      placed[i >> BITS] = new ChunkUse[SIZE];
    }
    placed[i >> BITS][i & SIZE - 1] = use;
  }

  private void close(ChunkUse use) {
    try {
      ChunkReader reader = pools.get(use.pool);
      if (reader != null) {
        reader.close(use);
      }
      Holding sole = use.sole();
      if (sole != null) {
        sole.addAlone(use);
      }
    } catch (ReflectiveOperationException | RuntimeException e) {
      use.hasOthers = true;
      unexplained.add(ChunkReaders.line(e));
    }
  }

  /** Finds what may keep a chunk in which only one path has buffers. */
  private void keep() {
    for (int i = 0; i < live.size(); i++) {
      ChunkUse use = placed[i >> BITS] == null ? null : placed[i >> BITS][i & SIZE - 1];
      Holding sole = use == null || !use.isReturned ? null : use.sole();
      ChunkReader reader = sole == null || use == null ? null : pools.get(use.pool);
      if (reader != null && use != null && sole != null) {
        try {
          reader.keep(live.buffer(i), use, sole);
        } catch (ReflectiveOperationException | RuntimeException e) {
          use.hasOthers = true;
        }
      }
    }
  }

  private PoolMemory told() {
    List<Holding> sorted = new ArrayList<>(holdings.values());
    sorted.removeIf(holding -> holding.held == 0);
    sorted.sort(
        Comparator.comparingLong((Holding holding) -> -holding.alone)
            .thenComparingLong(holding -> -holding.held));
    IdentityHashMap<Holding, Integer> ranks = new IdentityHashMap<>();
    List<PoolMemory.Holder> holders = new ArrayList<>();
    for (Holding holding : sorted.subList(0, Math.min(MAX_HOLDERS, sorted.size()))) {
      ranks.put(holding, holders.size());
      holders.add(holder(holding));
    }
    List<PoolKey> keys = new ArrayList<>(pools.keySet());
    List<PoolMemory.Pool> told = new ArrayList<>();
    for (PoolKey key : keys) {
      told.add(pool(key));
    }
    return new PoolMemory(told, holders, largest(keys, ranks), new ArrayList<>(unexplained));
  }

  private List<PoolMemory.Chunk> largest(
      List<PoolKey> keys, IdentityHashMap<Holding, Integer> ranks) {
    List<ChunkUse> largest = new ArrayList<>(chunks.values());
    largest.sort(Comparator.comparingLong(use -> -use.size));
    List<PoolMemory.Chunk> rows = new ArrayList<>();
    for (ChunkUse use : largest.subList(0, Math.min(MAX_CHUNKS, largest.size()))) {
      Path.Flows taken = new Path.Flows(use.buffers, use.taken);
      Integer rank = ranks.get(use.sole());
      int holder = rank == null ? PoolMemory.Chunk.SHARED : rank;
      rows.add(new PoolMemory.Chunk(keys.indexOf(use.pool), use.size, taken, use.free, holder));
    }
    return rows;
  }

  private PoolMemory.Holder holder(Holding holding) {
    long stay = 0;
    for (Object keeper : holding.keepers()) {
      stay += Math.min(holding.kept(keeper), room(keeper));
    }
    return new PoolMemory.Holder(
        live.hops(holding.example),
        live.isDirect(holding.example),
        new Path.Flows(holding.buffers, holding.bytes),
        holding.chunks,
        holding.held,
        holding.alone,
        holding.returned(stay));
  }

  private int room(Object keeper) {
    int most = 0;
    for (ChunkReader reader : pools.values()) {
      try {
        most = Math.max(most, reader.room(keeper));
      } catch (ReflectiveOperationException | RuntimeException e) {
        return Integer.MAX_VALUE;
      }
    }
    return most;
  }

  private PoolMemory.Pool pool(PoolKey key) {
    long held = 0;
    long taken = 0;
    long free = 0;
    for (ChunkUse use : chunks.values()) {
      if (use.pool.equals(key)) {
        held += use.size;
        taken += Math.min(use.taken, use.size);
        free += Math.min(use.free, Math.max(0, use.size - use.taken));
      }
    }
    long bytes = held;
    long idle = 0;
    try {
      ChunkReader reader = pools.get(key);
      if (reader != null) {
        for (Object chunk : reader.chunks(key)) {
          idle += chunks.containsKey(chunk) ? 0 : reader.size(chunk);
        }
        bytes = reader.bytes(key);
      }
    } catch (ReflectiveOperationException | RuntimeException e) {
      unexplained.add(ChunkReaders.line(e));
    }
    return new PoolMemory.Pool(ChunkReaders.name(key), key.direct, bytes, held, idle)
        .with(taken, free);
  }
}
