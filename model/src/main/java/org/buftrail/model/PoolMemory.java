package org.buftrail.model;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Which chunks of memory an allocator keeps at one moment, and which live buffers keep them there.
 *
 * <p>An allocator gives a chunk back when no buffer lies in it, so one small buffer can hold many
 * times its own size. Immutable. Amounts are bytes. Buffers that are not followed, because they
 * were allocated before the agent came or by sampling, are nobody's here.
 */
public final class PoolMemory {
  private final List<Pool> pools;
  private final List<Holder> holders;
  private final List<Chunk> chunks;
  private final List<String> unexplained;
  private final @Nullable DirectMemory direct;

  /**
   * @param pools in any order
   * @param holders the one that keeps most alone first
   * @param chunks those with live buffers, as many as are listed
   * @param unexplained one line for each part that could not be looked into
   */
  public PoolMemory(
      List<Pool> pools, List<Holder> holders, List<Chunk> chunks, List<String> unexplained) {
    this(pools, holders, chunks, unexplained, null);
  }

  private PoolMemory(
      List<Pool> pools,
      List<Holder> holders,
      List<Chunk> chunks,
      List<String> unexplained,
      @Nullable DirectMemory direct) {
    this.pools = List.copyOf(pools);
    this.holders = List.copyOf(holders);
    this.chunks = List.copyOf(chunks);
    this.unexplained = List.copyOf(unexplained);
    this.direct = direct;
  }

  /** Returns the same with the direct buffers that are not Netty's; null where nobody asked. */
  public PoolMemory with(@Nullable DirectMemory others) {
    return new PoolMemory(pools, holders, chunks, unexplained, others);
  }

  /** The allocators, each for one kind of memory. */
  public List<Pool> pools() {
    return pools;
  }

  /** Paths whose buffers hold memory, the one that keeps most alone first. */
  public List<Holder> holders() {
    return holders;
  }

  /** Chunks with live buffers, the largest first; bounded. */
  public List<Chunk> chunks() {
    return chunks;
  }

  /** One line for each part that could not be looked into. */
  public List<String> unexplained() {
    return unexplained;
  }

  /** The direct buffers that are not Netty's; null where nobody asked. */
  public @Nullable DirectMemory direct() {
    return direct;
  }

  /** Whether no allocator, and nobody else, says anything. */
  public boolean isEmpty() {
    return pools.isEmpty() && unexplained.isEmpty() && direct == null;
  }

  /**
   * An allocator's memory of one kind. {@code bytes = held + idle + notLocated}, and where it is
   * known {@code held = taken + free + other}.
   */
  public static final class Pool {
    /** In place of an amount that is not known. */
    public static final long UNKNOWN = -1;

    private final String allocator;
    private final boolean direct;
    private final long bytes;
    private final long held;
    private final long idle;
    private final long taken;
    private final long free;

    /**
     * @param allocator its simple class name
     * @param direct whether the memory is outside the heap
     * @param bytes what the allocator says that it keeps
     * @param held in chunks with live buffers that are followed
     * @param idle in chunks without
     */
    public Pool(String allocator, boolean direct, long bytes, long held, long idle) {
      this(allocator, direct, bytes, held, idle, UNKNOWN, UNKNOWN);
    }

    private Pool(
        String allocator, boolean direct, long bytes, long held, long idle, long taken, long free) {
      this.allocator = allocator;
      this.direct = direct;
      this.bytes = bytes;
      this.held = held;
      this.idle = idle;
      this.taken = taken;
      this.free = free;
    }

    /**
     * Returns the same with what becomes of the bytes that are held.
     *
     * @param takenByBuffers what the live buffers take
     * @param freeForOthers what the next allocation may take
     */
    public Pool with(long takenByBuffers, long freeForOthers) {
      return new Pool(allocator, direct, bytes, held, idle, takenByBuffers, freeForOthers);
    }

    /** Its simple class name. */
    public String allocator() {
      return allocator;
    }

    /** Whether the memory is outside the heap. */
    public boolean isDirect() {
      return direct;
    }

    /** The bytes that the allocator says it keeps. */
    public long bytes() {
      return bytes;
    }

    /** In chunks with live buffers that are followed. */
    public long held() {
      return held;
    }

    /** In chunks that were found and have no such buffer: cached, or free. */
    public long idle() {
      return idle;
    }

    /** In chunks that were not found. */
    public long notLocated() {
      return Math.max(0, bytes - held - idle);
    }

    /** Of what is held, the bytes that the live buffers take, or {@link #UNKNOWN}. */
    public long taken() {
      return taken;
    }

    /** Of what is held, the bytes that the next allocation may take, or {@link #UNKNOWN}. */
    public long free() {
      return free;
    }

    /**
     * Of what is held, the other bytes, or {@link #UNKNOWN}: in caches of threads, rounded up, free
     * within pages in use, or of buffers that are not followed.
     */
    public long other() {
      return taken == UNKNOWN ? UNKNOWN : Math.max(0, held - taken - free);
    }
  }

  /** A path whose live buffers hold memory. */
  public static final class Holder {
    private final List<Path.Hop> hops;
    private final boolean direct;
    private final Path.Flows buffers;
    private final long chunks;
    private final long held;
    private final long alone;
    private final long returned;

    /**
     * @param hops root first, never empty
     * @param direct whether the memory is outside the heap
     * @param buffers live ones that are followed, and their capacities
     * @param chunks how many chunks they lie in
     * @param held see {@link #held()}
     * @param alone see {@link #alone()}
     * @param returned see {@link #returned()}
     */
    public Holder(
        List<Path.Hop> hops,
        boolean direct,
        Path.Flows buffers,
        long chunks,
        long held,
        long alone,
        long returned) {
      this.hops = List.copyOf(hops);
      this.direct = direct;
      this.buffers = buffers;
      this.chunks = chunks;
      this.held = held;
      this.alone = alone;
      this.returned = returned;
    }

    /** Where the buffers are, root first. */
    public List<Path.Hop> hops() {
      return hops;
    }

    /** Whether the memory is outside the heap. */
    public boolean isDirect() {
      return direct;
    }

    /** The live buffers and their capacities. */
    public Path.Flows buffers() {
      return buffers;
    }

    /** How many chunks they lie in; memory of a buffer's own is none. */
    public long chunks() {
      return chunks;
    }

    /** The bytes of all chunks in which they lie, and of memory of their own. */
    public long held() {
      return held;
    }

    /** The part of these that nothing else uses: no other buffer, and no cache of a thread. */
    public long alone() {
      return alone;
    }

    /**
     * Of that, what the allocator gives back for certain once these buffers are released. The rest
     * it keeps for the next allocation.
     */
    public long returned() {
      return returned;
    }
  }

  /** A chunk in which live buffers lie that are followed. */
  public static final class Chunk {
    private final int pool;
    private final long size;
    private final Path.Flows buffers;
    private final long free;
    private final int holder;

    /** In place of {@link #holder}: more than one path, or others too. */
    public static final int SHARED = -1;

    /**
     * @param pool index of its allocator
     * @param size its bytes
     * @param buffers live ones that are followed, and what they take of it
     * @param free what the next allocation may take
     * @param holder index of the only holder, or {@link #SHARED}
     */
    public Chunk(int pool, long size, Path.Flows buffers, long free, int holder) {
      this.pool = pool;
      this.size = size;
      this.buffers = buffers;
      this.free = free;
      this.holder = holder;
    }

    /** Index of its allocator among the pools. */
    public int pool() {
      return pool;
    }

    /** Its bytes. */
    public long size() {
      return size;
    }

    /** The live buffers that are followed, and what they take of it. */
    public Path.Flows buffers() {
      return buffers;
    }

    /** The bytes that the next allocation may take. */
    public long free() {
      return free;
    }

    /** The other bytes, as {@link Pool#other} says. */
    public long other() {
      return Math.max(0, size - buffers.bytes() - free);
    }

    /** Index of the only holder, or {@link #SHARED}. */
    public int holder() {
      return holder;
    }
  }
}
